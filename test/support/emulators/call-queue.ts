import type { Clock } from '#kernel/time/clock.js';

/** The queue of an emulated carrier that starts so many calls in a second, and takes any number. */
export class CallQueue {
  readonly #clock: Clock;
  readonly #callsPerSecond: number;
  #nextTurnMs = 0;

  /** @param callsPerSecond without it there is no such limit */
  constructor(clock: Clock, callsPerSecond = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#callsPerSecond = callsPerSecond;
  }

  /** Takes a turn for the next call: how long it has to wait for it, in milliseconds. */
  nextTurn(): number {
    const now = this.#clock.monotonicMs();
    const turnMs = Math.max(now, this.#nextTurnMs);
    this.#nextTurnMs = turnMs + 1_000 / this.#callsPerSecond;
    return turnMs - now;
  }
}
