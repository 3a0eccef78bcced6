import type { Metric } from '#metrics/exposition.js';
import { labelsFor, counterMetric, type MetricSources } from '#metrics/readings.js';
import { RUN_RESULTS, RUNS_BEGUN, RUNS_OVER, TIMINGS } from '#schedules/runs/executions/run-counters.js';
import type { ScheduleService } from './schedule-service.js';

/** The metrics of schedules for `GET /metrics`: lag, started attempts, finished runs. */
export function scheduleMetrics(
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
