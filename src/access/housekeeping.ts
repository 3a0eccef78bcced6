import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { Loop } from '../kernel/loop.js';
import type { Store } from '../store/store.js';
import { idempotencyUnits } from './idempotency-store.js';
import { streamTokenUnits } from './stream-token-store.js';

const EVERY_MS = 10 * 60_000;
/** Small enough that no transaction makes others wait. */
const SLICE = 500;

/** Forgets up to `limit` of what is too old at an instant (epoch milliseconds), and returns how many those were. */
export type Purge = (args: { now: number; limit: number }) => Promise<number>;

/**
 * Forgets expired idempotency keys and stream tokens, a slice at a time, at the start and every ten minutes.
 * @param more what other rooms need not know any more
 */
export function createHousekeeping(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  more: readonly Purge[] = [],
): Loop<number> {
  const purges: Purge[] = [
    (args) => store.write(idempotencyUnits.purge, args),
    (args) => store.write(streamTokenUnits.purge, args),
    ...more,
  ];
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
        for (const purge of purges) while ((await purge({ now, limit: SLICE })) === SLICE);
      },
      nextDueAt: async () => dueAt,
    },
    { clock, log },
  );
}
