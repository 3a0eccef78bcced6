import type { Clock } from '../../kernel/clock.js';

/** The share of a second whose calls may go out at once: a carrier that counts by the second sees no burst. */
const BURST_SECONDS = 0.1;

/**
 * How fast calls may be started at a carrier: a bucket of permissions that fills as time passes. It is kept in
 * monotonic time, so a clock that jumps neither stops it nor opens it.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #size: number;
  #left: number;
  #countedMs: number;

  constructor(callsPerSecond: number, clock: Clock) {
    this.#clock = clock;
    this.#perMs = callsPerSecond / 1_000;
    this.#size = Math.max(1, callsPerSecond * BURST_SECONDS);
    this.#left = this.#size;
    this.#countedMs = clock.monotonicMs();
  }

  /** How many calls may be started now. */
  get available(): number {
    this.#fill();
    return Math.max(0, Math.floor(this.#left));
  }

  /** Milliseconds until one more call may be started; 0 when one may be now. */
  get waitMs(): number {
    this.#fill();
    return Math.ceil(Math.max(0, 1 - this.#left) / this.#perMs);
  }

  /** Some calls are being started. */
  spend(count: number): void {
    this.#left -= count;
  }

  /** No call for so long: the carrier has said that it was too much. */
  pause(durationMs: number): void {
    this.#fill();
    this.#left = Math.min(this.#left, 1 - durationMs * this.#perMs);
  }

  #fill(): void {
    const now = this.#clock.monotonicMs();
    this.#left = Math.min(this.#size, this.#left + (now - this.#countedMs) * this.#perMs);
    this.#countedMs = now;
  }
}
