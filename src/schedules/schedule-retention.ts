import { sweepDaily, type SweepCursor } from '#housekeeping/retention-sweep.js';
import type { Purge } from '#housekeeping/retention-sweep.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import { scheduleRetentionUnits } from './schedule-retention-store.js';

/**
 * Removes schedules that have been over for longer than an operator keeps calls, with all that they tell of people, and
 * of the others the runs that are as old (our choice). Null keeps them.
 */
export function schedulePurges(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  kept: { callDays: number | null },
): Purge[] {
  const { callDays: days } = kept;
  if (days === null) return [];
  const look = (walk: SweepCursor) => store.read(scheduleRetentionUnits.over, walk);
  const lookForRuns = (walk: SweepCursor) => store.read(scheduleRetentionUnits.withOldRuns, walk);
  const remove = async ({ id }: { id: string }, before: number) => {
    const args = { id, before, at: clock.wallMs() };
    while (!(await store.write(scheduleRetentionUnits.remove, args)));
  };
  const removeRuns = async ({ id }: { id: string }, before: number) => {
    while (!(await store.write(scheduleRetentionUnits.removeRuns, { id, before })));
  };
  return [
    sweepDaily({ days, what: 'scheduled call', look, remove }, log),
    sweepDaily({ days, what: 'runs of a scheduled call', look: lookForRuns, remove: removeRuns }, log),
  ];
}
