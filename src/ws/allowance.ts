import type { Clock } from '../kernel/clock.js';

/** Faster than fingers are, and than clients that type for somebody. */
const PER_SECOND = 20;
const MOST_AT_ONCE = 100;

/**
 * How many turns and keys one peer may still send: each of them is written down, and a flood would keep the database
 * from every other call.
 */
export class Allowance {
  readonly #clock: Clock;
  #left = MOST_AT_ONCE;
  #countedAtMs: number;
  #refused = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAtMs = clock.monotonicMs();
  }

  /** How often there was nothing left. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether one more may be taken in. */
  take(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(MOST_AT_ONCE, this.#left + ((nowMs - this.#countedAtMs) / 1_000) * PER_SECOND);
    this.#countedAtMs = nowMs;
    if (this.#left >= 1) {
      this.#left -= 1;
      return true;
    }
    this.#refused += 1;
    return false;
  }
}
