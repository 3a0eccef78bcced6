import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { Loop } from '../kernel/loop.js';
import type { Store } from '../store/store.js';
import { idempotencyUnits } from './idempotency-store.js';
import { streamTokenUnits } from './stream-token-store.js';

const EVERY_MS = 10 * 60_000;
/** Small enough that no transaction makes others wait. */
const SLICE = 500;

/** Forgets expired idempotency keys and stream tokens, a slice at a time, at the start and every ten minutes. */
export function createHousekeeping({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: Log;
}): Loop<number> {
  let dueAt = clock.wallMs();
  return new Loop<number>(
    {
      name: 'housekeeping',
      concurrency: 1,
      async claim() {
        const now = clock.wallMs();
        if (now < dueAt) return [];
        dueAt = now + EVERY_MS;
        return [now];
      },
      async perform(now) {
        for (const purge of [idempotencyUnits.purge, streamTokenUnits.purge]) {
          while ((await store.write(purge, { now, limit: SLICE })) === SLICE);
        }
      },
      nextDueAt: async () => dueAt,
    },
    { clock, log },
  );
}
