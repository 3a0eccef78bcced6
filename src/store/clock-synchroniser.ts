import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { SharedClock } from '#kernel/time/shared-clock.js';
import { pingTransactions } from './ping.js';
import type { Store } from './store.js';

/** How often the clocks are compared: a clock that is set while the service runs is noticed within this time. */
const EVERY_MS = 5_000;
/** The change of the difference from which the operator is warned. */
const WARN_FROM_MS = 1_000;

interface ClockSynchroniserParts {
  store: Store;
  clock: SharedClock;
  log: Log;
}

/**
 * Sets the process's clock by the database's. Leases, due times and expiries are written by one process and read by
 * others, whose machines' clocks may differ; the database's clock is the one that all of them share.
 */
export class ClockSynchroniser {
  readonly #parts: ClockSynchroniserParts;
  readonly #rounds: PeriodicTask;
  #warnedMs = 0;

  constructor(parts: ClockSynchroniserParts) {
    this.#parts = parts;
    this.#rounds = new PeriodicTask(parts.clock, { everyMs: EVERY_MS, run: () => this.#follow() });
  }

  /** Resolves when the clock is set; keeps it set from then on. */
  async start(): Promise<void> {
    const { store, clock } = this.#parts;
    if ((await store.read(pingTransactions.now, {})) === null) return;
    await clock.follow(() => this.#ask());
    this.#warnOfSkew();
    this.#rounds.start();
  }

  stop(): void {
    this.#rounds.halt();
  }

  /** Keeps the last difference while the database is unavailable; the requests that fail then report the outage. */
  async #follow(): Promise<void> {
    try {
      await this.#parts.clock.follow(() => this.#ask());
      this.#warnOfSkew();
    } catch {
      return;
    }
  }

  async #ask(): Promise<number> {
    return (await this.#parts.store.read(pingTransactions.now, {}))!;
  }

  #warnOfSkew(): void {
    const { clock, log } = this.#parts;
    if (Math.abs(clock.aheadMs - this.#warnedMs) < WARN_FROM_MS) return;
    this.#warnedMs = clock.aheadMs;
    const skew = { database_ahead_seconds: Math.round(clock.aheadMs / 100) / 10 };
    log.warn(skew, "the clock of this machine and the database's differ: the database's counts");
  }
}
