import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { Loop } from '#kernel/work/loop.js';
import type { Store } from '#store/store.js';
import { SlewedTime } from './slewed-time.js';
import { housekeepingUnits } from './housekeeping-store.js';
import type { Purge } from './purge.js';

const EVERY_MS = 10 * 60_000;

/** What forgets, for as long as the process lives. */
export interface Housekeeping {
  start(): void;
  /** Resolves when the slice in hand is done; what is left waits for the next start. */
  stop(): Promise<void>;
}

/** A purge, and the present that it goes by. */
interface Duty {
  purge: Purge;
  now: number;
}

/**
 * Forgets what the rooms need not know any more, a slice at a time, at the start and every ten minutes, as time passes
 * by {@link SlewedTime}.
 */
export function createHousekeeping(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  purges: readonly Purge[],
): Housekeeping {
  // Counted by the clock that does not jump: one that was years ahead for a moment must not put the next round off for
  // as long.
  let dueMs = clock.monotonicMs();
  let time: SlewedTime | null = null;
  let waiting: Duty[] = [];
  let stopping = new AbortController();

  /** The present, kept for the next start. */
  async function present(): Promise<number> {
    time ??= new SlewedTime(clock, await store.read(housekeepingUnits.reached, {}));
    const at = time.now();
    await store.write(housekeepingUnits.reach, { at });
    return at;
  }

  const loop = new Loop<Duty>(
    {
      name: 'housekeeping',
      // One after the other: together they would hold up the writer. One that fails keeps the others from nothing.
      concurrency: 1,
      async claim() {
        if (clock.monotonicMs() >= dueMs) {
          const now = await present();
          dueMs = clock.monotonicMs() + EVERY_MS;
          waiting = purges.map((purge) => ({ purge, now }));
        }
        return waiting.splice(0, 1);
      },
      async perform({ purge, now }) {
        const { signal } = stopping;
        while (!signal.aborted && (await purge(now)));
      },
      nextDueAt: async () =>
        clock.wallMs() + (waiting.length > 0 ? 0 : Math.max(0, dueMs - clock.monotonicMs())),
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
