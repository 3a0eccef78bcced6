import { walkDaily, type Walk } from '#housekeeping/daily-walk.js';
import type { Purge } from '#housekeeping/purge.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import { scheduleRetentionUnits } from './schedule-retention-store.js';

/**
 * Deletes schedules that have been over for longer than the retention of calls, and older runs of the others. Null
 * keeps everything.
 */
export function schedulePurges(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  kept: { callDays: number | null },
): Purge[] {
  const { callDays: days } = kept;
  if (days === null) return [];
  const look = (walk: Walk) => store.read(scheduleRetentionUnits.over, walk);
  const lookForRuns = (walk: Walk) => store.read(scheduleRetentionUnits.withOldRuns, walk);
  const remove = async ({ id }: { id: string }, before: number) => {
    const args = { id, before, at: clock.wallMs() };
    while (!(await store.write(scheduleRetentionUnits.remove, args)));
  };
  const removeRuns = async ({ id }: { id: string }, before: number) => {
    while (!(await store.write(scheduleRetentionUnits.removeRuns, { id, before })));
  };
  return [
    walkDaily({ days, what: 'scheduled call', look, remove }, log),
    walkDaily({ days, what: 'runs of a scheduled call', look: lookForRuns, remove: removeRuns }, log),
  ];
}
