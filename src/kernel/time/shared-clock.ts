import type { Clock } from './clock.js';

/** A reading of the shared clock. */
interface Reading {
  /** Epoch milliseconds of the shared clock. */
  wallMs: number;
  /** The machine's wall clock at the request (epoch milliseconds). */
  requestedAtMs: number;
  /** The round-trip time (milliseconds). */
  roundTripMs: number;
}

/** Clocks are read in whole milliseconds: a reading may be this much too early. */
const ROUNDING_MS = 1;

/**
 * The machine's clock, corrected by a clock that several processes share (the clock of their PostgreSQL database), so
 * that a lease or due time means the same instant to all of them. `ClockSynchroniser` calls {@link
 * SharedClock.synchronise} every few seconds; until its first call, and on SQLite, this is the machine's clock.
 */
export class SharedClock implements Clock {
  readonly #machine: Clock;
  #aheadMs = 0;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  /** The correction (milliseconds): positive when the shared clock is ahead of the machine's. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  wallMs(): number {
    return this.#machine.wallMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs();
  }

  after(delayMs: number, task: () => void): () => void {
    return this.#machine.after(delayMs, task);
  }

  /** Reads the shared clock and corrects this clock. @param readShared resolves with epoch milliseconds */
  async synchronise(readShared: () => Promise<number>): Promise<void> {
    const requestedAtMs = this.#machine.wallMs();
    const startedMs = this.#machine.monotonicMs();
    const wallMs = await readShared();
    this.#correct({ wallMs, requestedAtMs, roundTripMs: this.#machine.monotonicMs() - startedMs });
  }

  /**
   * Changes the correction only if it lies outside the bounds that the round trip allows: the shared clock was read at
   * an unknown moment between request and response.
   */
  #correct({ wallMs, requestedAtMs, roundTripMs }: Reading): void {
    const most = wallMs - requestedAtMs + ROUNDING_MS;
    const least = wallMs - requestedAtMs - roundTripMs - ROUNDING_MS;
    if (this.#aheadMs < least || this.#aheadMs > most) this.#aheadMs = Math.round((least + most) / 2);
  }
}
