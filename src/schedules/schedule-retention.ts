import { walkDaily, type Walk } from '../access/daily-walk.js';
import type { Purge } from '../access/housekeeping.js';
import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import type { Store } from '../store/store.js';
import { scheduleRetentionUnits } from './schedule-retention-store.js';

const DAY_MS = 86_400_000;

/**
 * Removes schedules that have been over for longer than an operator keeps calls, with all that they tell of people (our
 * choice). Null keeps them.
 */
export function schedulePurges(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  kept: { callDays: number | null },
): Purge[] {
  const { callDays: days } = kept;
  if (days === null) return [];
  const look = (walk: Walk) => store.read(scheduleRetentionUnits.over, walk);
  const remove = async ({ id }: { id: string }) => {
    const at = clock.wallMs();
    const args = { id, before: at - days * DAY_MS, at };
    while (!(await store.write(scheduleRetentionUnits.remove, args)));
  };
  return [walkDaily({ days, what: 'scheduled call', look, remove }, log)];
}
