import type { Tx } from '#store/transaction.js';
import type { ExecutionRow } from '#schedules/record/schedule.js';
import type { Metric } from '#metrics/exposition.js';
import { labelsFor, counterMetric, type MetricSources } from '#metrics/readings.js';

// The counters of scheduled runs, and the metrics that show them.

/** Counter of started attempts by timing. */
export const RUNS_BEGUN = 'scheduled_runs_begun';
/** Counter of finished runs by result. */
export const RUNS_OVER = 'scheduled_runs';

/** The values of the label `timing`. */
const TIMINGS = ['on_time', 'late'] as const;
/** The final states of a run or of one attempt; also the values of the label `result`. */
export const RUN_RESULTS = ['completed', 'failed', 'missed', 'skipped', 'cancelled'] as const;

/**
 * A start this late counts as `late`: the service is too busy, or was down. A due run that has waited longer also makes
 * the scheduler's health `degraded`.
 */
export const LATE_AFTER_MS = 5_000;

/** Counts a started attempt. */
export function countStarted(tx: Tx, lateMs: number): void {
  const timing: (typeof TIMINGS)[number] = lateMs > LATE_AFTER_MS ? 'late' : 'on_time';
  tx.count({ name: RUNS_BEGUN, labels: { timing } });
}

/** Counts a finished run. */
export function countRunOver(tx: Tx, result: ExecutionRow['status']): void {
  tx.count({ name: RUNS_OVER, labels: { result } });
}

/** The metrics of schedules for `GET /metrics`: lag, started attempts, finished runs. */
export function scheduleMetrics(
  sources: MetricSources,
  { schedules }: { schedules: { lagMs(): Promise<number> } },
): Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'scheduled_runs_oldest_due_seconds',
      help: 'For how long the first run of a schedule that nobody has begun has been due.',
      read: async () => [{ value: (await schedules.lagMs()) / 1_000 }],
    },
    counterMetric(sources, {
      name: RUNS_BEGUN,
      help: 'Runs of schedules that began, and their later attempts, by whether they were late.',
      known: labelsFor('timing', TIMINGS),
    }),
    counterMetric(sources, {
      name: RUNS_OVER,
      help: 'Runs of schedules that are over, by how they ended.',
      known: labelsFor('result', RUN_RESULTS),
    }),
  ];
}
