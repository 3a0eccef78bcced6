import type { Clock } from '#kernel/time/clock.js';

/** The queue of an emulated carrier that accepts any number of calls and starts a limited number per second. */
export class CallQueue {
  readonly #clock: Clock;
  readonly #callsPerSecond: number;
  #nextTurnMs = 0;

  /** @param callsPerSecond default no limit */
  constructor(clock: Clock, callsPerSecond = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#callsPerSecond = callsPerSecond;
  }

  /** Takes the next place; returns the waiting time in milliseconds. */
  nextTurn(): number {
    const now = this.#clock.monotonicMs();
    const turnMs = Math.max(now, this.#nextTurnMs);
    this.#nextTurnMs = turnMs + 1_000 / this.#callsPerSecond;
    return turnMs - now;
  }
}
