import { defineTransactions } from '#store/transaction.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { Loop } from '#kernel/work/loop.js';
import type { Store } from '#store/store.js';
import { ClockJumpGuard } from './clock-jump-guard.js';
import type { Purge } from './retention-sweep.js';

/** The name of the row with the last present time of `ClockJumpGuard`; batches have a row of their own in the table. */
const NAME = 'reached';

/**
 * The transactions of `createHousekeeping`: they store the present time, so that after a restart `ClockJumpGuard`
 * continues from it instead of trusting the wall clock.
 */
export const housekeepingTransactions = defineTransactions('housekeeping', {
  /** The present time that was stored last (epoch milliseconds); null if none was stored yet. */
  async reached(tx): Promise<number | null> {
    const row = await tx.get('select reached_at from housekeeping where name = ?', NAME);
    return typeof row?.['reached_at'] === 'number' ? row['reached_at'] : null;
  },

  /** Stores the present time (epoch milliseconds). */
  async reach(tx, args: { at: number }): Promise<void> {
    await tx.run(
      `insert into housekeeping (name, reached_at) values (?, ?)
       on conflict (name) do update set reached_at = excluded.reached_at`,
      NAME,
      args.at,
    );
  },
});

/** The interval of the rounds. In a round each purge runs until it has nothing more to delete. */
const EVERY_MS = 10 * 60_000;

/** Deletes data past its retention period while the process runs. Started and stopped by the composition root. */
export interface Housekeeping {
  start(): void;
  /** Resolves when the current slice is done; the rest waits for the next start. */
  stop(): Promise<void>;
}

/** A purge that waits for its turn, and the present time of its round. */
interface PendingPurge {
  purge: Purge;
  now: number;
}

/**
 * Creates the loop that runs the purges of all modules, at the start and every ten minutes. Each purge deletes rows
 * slice by slice until it has no more. The present time is that of {@link ClockJumpGuard}, so that a wall clock that
 * is wrongly ahead for an hour deletes nothing.
 * @param purges made by the modules, with `purgeBySlices` and `sweepDaily`
 */
export function createHousekeeping(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  purges: readonly Purge[],
): Housekeeping {
  // By the monotonic clock: a wall clock that was years ahead for a moment must not delay the next round.
  let dueMs = clock.monotonicMs();
  let guard: ClockJumpGuard | null = null;
  let waiting: PendingPurge[] = [];
  let stopping = new AbortController();

  /** Reads the present time, and stores it for the next start. */
  async function measurePresent(): Promise<number> {
    guard ??= new ClockJumpGuard(clock, await store.read(housekeepingTransactions.reached, {}));
    const at = guard.now();
    await store.write(housekeepingTransactions.reach, { at });
    return at;
  }

  const loop = new Loop<PendingPurge>(
    {
      name: 'housekeeping',
      // One purge at a time, so that they do not block the writer. A purge that fails does not stop the others.
      concurrency: 1,
      async claim() {
        if (clock.monotonicMs() >= dueMs) {
          const now = await measurePresent();
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
