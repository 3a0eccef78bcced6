import { BATCHES_STOPPED, STOPPED_STATUSES } from './batches/settling/settle-store.js';
import type { Shown } from './http/watch/metrics.js';
import { fromZero } from './operator-readings.js';
import type { Tools } from './replacements.js';
import { RUN_RESULTS, RUNS_BEGUN, RUNS_OVER, TIMINGS } from './schedules/runs/run-tallies.js';
import type { ScheduleCentre } from './schedules/schedule-centre.js';

/** The numbers of what makes calls by itself: schedules and batches. */
export function callMakerNumbers(
  { meter }: Tools,
  { schedules }: { schedules: Pick<ScheduleCentre, 'lagMs'> },
): Shown[] {
  return [
    {
      kind: 'gauge',
      name: 'scheduled_runs_oldest_due_seconds',
      help: 'For how long the first run of a schedule that nobody has begun has been due.',
      read: async () => [{ value: (await schedules.lagMs()) / 1_000 }],
    },
    {
      kind: 'counter',
      name: RUNS_BEGUN,
      labelNames: ['timing'],
      help: 'Runs of schedules that began, and their later attempts, by whether they were late.',
      read: () =>
        fromZero(
          meter.tallies,
          RUNS_BEGUN,
          TIMINGS.map((timing) => ({ timing })),
        ),
    },
    {
      kind: 'counter',
      name: RUNS_OVER,
      labelNames: ['result'],
      help: 'Runs of schedules that are over, by how they ended.',
      read: () =>
        fromZero(
          meter.tallies,
          RUNS_OVER,
          RUN_RESULTS.map((result) => ({ result })),
        ),
    },
    {
      kind: 'counter',
      name: BATCHES_STOPPED,
      labelNames: ['status'],
      help: 'Batches that were paused or given up because their calls failed.',
      read: () =>
        fromZero(
          meter.tallies,
          BATCHES_STOPPED,
          STOPPED_STATUSES.map((status) => ({ status })),
        ),
    },
  ];
}
