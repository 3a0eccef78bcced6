import { BATCHES_STOPPED, STOPPED_STATUSES } from '#batches/record/stopped-batches.js';
import type { Metric } from '#http/watch/metrics.js';
import { RUN_RESULTS, RUNS_BEGUN, RUNS_OVER, TIMINGS } from '#schedules/runs/executions/run-tallies.js';
import type { ScheduleService } from '#schedules/schedule-service.js';
import { each, tallied, type MetricSources } from './readings.js';

/** The metrics of what makes calls by itself: schedules and batches. */
export function callOriginatorMetrics(
  sources: MetricSources,
  { schedules }: { schedules: Pick<ScheduleService, 'lagMs'> },
): Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'scheduled_runs_oldest_due_seconds',
      help: 'For how long the first run of a schedule that nobody has begun has been due.',
      read: async () => [{ value: (await schedules.lagMs()) / 1_000 }],
    },
    tallied(sources, {
      name: RUNS_BEGUN,
      help: 'Runs of schedules that began, and their later attempts, by whether they were late.',
      known: each('timing', TIMINGS),
    }),
    tallied(sources, {
      name: RUNS_OVER,
      help: 'Runs of schedules that are over, by how they ended.',
      known: each('result', RUN_RESULTS),
    }),
    tallied(sources, {
      name: BATCHES_STOPPED,
      help: 'Batches that were paused or given up because their calls failed, or because the service was away when they were due.',
      known: each('status', STOPPED_STATUSES),
    }),
  ];
}
