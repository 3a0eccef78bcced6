import type { Clock } from '#kernel/time/clock.js';

const SAMPLE_EVERY_MS = 500;
/** Each sample moves the mean by a tenth of the difference: a single pause counts little, repeated pauses add up. */
const MEAN_SAMPLES = 10;

/**
 * Measures how late the timers of this thread fire, which is the delay of all work on its event loop. The service is
 * not ready for calls while the mean is too high.
 */
export class LoopLag {
  readonly #clock: Clock;
  #meanMs = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Moving mean of about the last five seconds (milliseconds). */
  get meanMs(): number {
    return this.#meanMs;
  }

  /** Takes a sample after each pause, until `stop`. */
  start(): void {
    const dueMs = this.#clock.monotonicMs() + SAMPLE_EVERY_MS;
    this.#cancel = this.#clock.after(SAMPLE_EVERY_MS, () => {
      const lateMs = Math.max(0, this.#clock.monotonicMs() - dueMs);
      this.#meanMs += (lateMs - this.#meanMs) / MEAN_SAMPLES;
      this.start();
    });
  }

  /** Idempotent. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
