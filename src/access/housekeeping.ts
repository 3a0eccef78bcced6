import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { Loop } from '../kernel/loop.js';
import type { Store } from '../store/store.js';
import { idempotencyUnits } from './idempotency-store.js';
import { streamTokenUnits } from './stream-token-store.js';

const EVERY_MS = 10 * 60_000;
/** Small enough that no transaction makes others wait. */
const SLICE = 500;

/**
 * Forgets a slice of what is too old at an instant (epoch milliseconds): no more than a transaction of a few milliseconds
 * can. Resolves with whether there may be more.
 */
export type Purge = (now: number) => Promise<boolean>;

/** A purge by a unit that forgets up to `limit` rows, and says how many those were. */
export function purgeBySlices(forget: (args: { now: number; limit: number }) => Promise<number>): Purge {
  return async (now) => (await forget({ now, limit: SLICE })) === SLICE;
}

export interface Housekeeping {
  start(): void;
  /** Resolves when the slice in hand is done; what is left waits for the next start. */
  stop(): Promise<void>;
}

/**
 * Forgets expired idempotency keys and stream tokens, a slice at a time, at the start and every ten minutes.
 * @param more what other rooms need not know any more
 */
export function createHousekeeping(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  more: readonly Purge[] = [],
): Housekeeping {
  const purges: Purge[] = [
    purgeBySlices((args) => store.write(idempotencyUnits.purge, args)),
    purgeBySlices((args) => store.write(streamTokenUnits.purge, args)),
    ...more,
  ];
  let dueAt = clock.wallMs();
  let waiting: Purge[] = [];
  let stopping = new AbortController();
  const loop = new Loop<Purge>(
    {
      name: 'housekeeping',
      // One after the other: together they would hold up the writer. One that fails keeps the others from nothing.
      concurrency: 1,
      async claim() {
        const now = clock.wallMs();
        if (now >= dueAt) {
          dueAt = now + EVERY_MS;
          waiting = [...purges];
        }
        return waiting.splice(0, 1);
      },
      async perform(purge) {
        const now = clock.wallMs();
        const { signal } = stopping;
        while (!signal.aborted && (await purge(now)));
      },
      nextDueAt: async () => (waiting.length > 0 ? clock.wallMs() : dueAt),
    },
    { clock, log },
  );
  return {
    start() {
      stopping = new AbortController();
      loop.start();
    },
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
