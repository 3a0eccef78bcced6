import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { SharedClock } from '#kernel/time/shared-clock.js';
import { pingUnits } from './ping.js';
import type { Store } from './store.js';

/** A machine's clock that is set while the service runs is noticed after so long. */
const EVERY_MS = 5_000;
/** A clock that is wrong by this much is worth an operator's while. */
const TOLD_FROM_MS = 1_000;

interface ClockSynchroniserParts {
  store: Store;
  clock: SharedClock;
  log: Log;
}

/**
 * Keeps the time of a process that shares its database: leases, due times and expiries are written by one process and
 * judged by others, whose machines' clocks may differ. The database's clock is the one that all of them can read.
 */
export class ClockSynchroniser {
  readonly #parts: ClockSynchroniserParts;
  readonly #rounds: PeriodicTask;
  #toldMs = 0;

  constructor(parts: ClockSynchroniserParts) {
    this.#parts = parts;
    this.#rounds = new PeriodicTask(parts.clock, { everyMs: EVERY_MS, run: () => this.#follow() });
  }

  /** Resolves when the clock is right; from then on it is kept so. */
  async start(): Promise<void> {
    const { store, clock } = this.#parts;
    if ((await store.read(pingUnits.now, {})) === null) return;
    await clock.follow(() => this.#ask());
    this.#tell();
    this.#rounds.start();
  }

  stop(): void {
    this.#rounds.halt();
  }

  /** While the database is away the clock goes on as it went; that it is away is told by whoever needs it. */
  async #follow(): Promise<void> {
    try {
      await this.#parts.clock.follow(() => this.#ask());
      this.#tell();
    } catch {
      return;
    }
  }

  async #ask(): Promise<number> {
    return (await this.#parts.store.read(pingUnits.now, {}))!;
  }

  #tell(): void {
    const { clock, log } = this.#parts;
    if (Math.abs(clock.aheadMs - this.#toldMs) < TOLD_FROM_MS) return;
    this.#toldMs = clock.aheadMs;
    const skew = { database_ahead_seconds: Math.round(clock.aheadMs / 100) / 10 };
    log.warn(skew, "the clock of this machine and the database's differ: the database's counts");
  }
}
