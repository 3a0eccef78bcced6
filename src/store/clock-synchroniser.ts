import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { SharedClock } from '#kernel/time/shared-clock.js';
import { pingTransactions } from './ping.js';
import type { Store } from './store.js';

/** How often the clocks are compared: a clock that is set while the service runs is noticed within this time. */
const COMPARE_EVERY_MS = 5_000;
/** The operator is warned when the difference changes by at least this much. */
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
  #reportedAheadMs = 0;

  constructor(parts: ClockSynchroniserParts) {
    this.#parts = parts;
    this.#task = new PeriodicTask(parts.clock, { everyMs: COMPARE_EVERY_MS, run: () => this.#follow() });
  }

  /** Resolves when the clock is set; keeps it set from then on. */
  async start(): Promise<void> {
    const { store, clock } = this.#parts;
    if ((await store.read(pingTransactions.now, {})) === null) return;
    await clock.synchronise(() => this.#readDatabaseClock());
    this.#warnOfSkew();
    this.#task.start();
  }

  /** Ends the comparisons; the clock keeps its last difference. */
  stop(): void {
    this.#task.halt();
  }

  /** Keeps the last difference while the database is unavailable; failing requests report the outage. */
  async #follow(): Promise<void> {
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

  /** Warns if the difference has changed by a second or more since the last warning. */
  #warnOfSkew(): void {
    const { clock, log } = this.#parts;
    if (Math.abs(clock.aheadMs - this.#reportedAheadMs) < WARN_DIFFERENCE_MS) return;
    this.#reportedAheadMs = clock.aheadMs;
    const skew = { database_ahead_seconds: Math.round(clock.aheadMs / 100) / 10 };
    log.warn(skew, "the clock of this machine and the database's differ: the database's counts");
  }
}
