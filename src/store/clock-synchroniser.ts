import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { SharedClock } from '#kernel/time/shared-clock.js';
import { pingTransactions } from './ping.js';
import type { Store } from './store.js';

/** How often the clocks are compared: a clock that was changed is noticed after this time at the latest. */
const COMPARE_EVERY_MS = 5_000;
/** The operator is warned when the difference has changed by this much since the last warning, or since the start. */
const WARN_DIFFERENCE_MS = 1_000;

/** The dependencies of {@link ClockSynchroniser}. */
interface ClockSynchroniserParts {
  store: Store;
  clock: SharedClock;
  log: Log;
}

/**
 * Keeps the clock of the process in step with the clock of a PostgreSQL database. Leases, due times and expiries are
 * written by one process and read by others, whose machines' clocks may differ; the database's clock is the one that
 * all of them share. The app starts it once the store is open; on SQLite it does nothing.
 */
export class ClockSynchroniser {
  readonly #parts: ClockSynchroniserParts;
  readonly #task: PeriodicTask;
  /** The difference at the last warning. */
  #reportedAheadMs = 0;

  constructor(parts: ClockSynchroniserParts) {
    this.#parts = parts;
    this.#task = new PeriodicTask(parts.clock, { everyMs: COMPARE_EVERY_MS, run: () => this.#compare() });
  }

  /** Sets the clock before it resolves, and keeps it set from then on. Rejects if the database cannot be read. */
  async start(): Promise<void> {
    const { store, clock } = this.#parts;
    // SQLite has no clock of its own.
    if ((await store.read(pingTransactions.now, {})) === null) return;
    await clock.synchronise(() => this.#readDatabaseClock());
    this.#warnOfSkew();
    this.#task.start();
  }

  /** Ends the comparisons; the clock keeps its last difference. */
  stop(): void {
    this.#task.halt();
  }

  /** Compares the clocks. While the database is unavailable the last difference stays; failing requests report that. */
  async #compare(): Promise<void> {
    try {
      await this.#parts.clock.synchronise(() => this.#readDatabaseClock());
      this.#warnOfSkew();
    } catch {
      return;
    }
  }

  /** The database's clock in epoch milliseconds. */
  async #readDatabaseClock(): Promise<number> {
    return (await this.#parts.store.read(pingTransactions.now, {}))!;
  }

  /** Warns if the difference has changed by a second or more since the last warning (from 0 before the first). */
  #warnOfSkew(): void {
    const { clock, log } = this.#parts;
    if (Math.abs(clock.aheadMs - this.#reportedAheadMs) < WARN_DIFFERENCE_MS) return;
    this.#reportedAheadMs = clock.aheadMs;
    const skew = { database_ahead_seconds: Math.round(clock.aheadMs / 100) / 10 };
    log.warn(skew, "the clock of this machine and the database's differ: the database's counts");
  }
}
