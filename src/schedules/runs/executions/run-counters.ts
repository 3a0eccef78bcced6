import type { Tx } from '#store/transaction.js';
import type { ExecutionRow } from '#schedules/record/schedule.js';

// The counters of scheduled runs. The transactions of the scheduler count; `schedule-metrics.ts` shows the counts as
// metrics.

/** Counter of started attempts by timing. */
export const RUNS_BEGUN = 'scheduled_runs_begun';
/** Counter of finished runs by result. */
export const RUNS_OVER = 'scheduled_runs';

/** The values of the label `timing`. */
export const TIMINGS = ['on_time', 'late'] as const;
/** Final states of a run, or of one attempt. */
export const RUN_RESULTS = ['completed', 'failed', 'missed', 'skipped', 'cancelled'] as const;

/** A run this late counts as late: the service is too busy, or was down. */
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
