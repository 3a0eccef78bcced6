import type { Purge } from '#housekeeping/purge.js';
import type { Store } from '#store/store.js';
import { retentionUnits } from './retention-store.js';

const DAY_MS = 86_400_000;
/** Each may have deliveries, and these attempts: all of them together are the work of a few milliseconds. */
const EVENTS_AT_ONCE = 20;

/**
 * Removes events that are older than `keptDays`, with their deliveries and the attempts at them (our choice). What is
 * on its way stays, however old it is.
 */
export function eventPurge(store: Store, keptDays: number): Purge {
  // What was passed over is not looked at again before the next round.
  let after = '';
  return async (now) => {
    const createdBefore = now - keptDays * DAY_MS;
    const last = await store.write(retentionUnits.purge, { createdBefore, after, limit: EVENTS_AT_ONCE });
    after = last ?? '';
    return last !== null;
  };
}
