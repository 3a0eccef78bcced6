import type { Clock } from '#kernel/time/clock.js';

const LOOK_EVERY_MS = 500;
/** How many looks count for the mean: one long pause is none yet, five seconds of short ones are. */
const LOOKS = 10;

/** How late the timers of this thread come, which is how long everything on it has to wait for its turn. */
export class LoopLag {
  readonly #clock: Clock;
  #meanMs = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of the last five seconds, about; milliseconds. */
  get meanMs(): number {
    return this.#meanMs;
  }

  start(): void {
    const dueMs = this.#clock.monotonicMs() + LOOK_EVERY_MS;
    this.#cancel = this.#clock.after(LOOK_EVERY_MS, () => {
      const lateMs = Math.max(0, this.#clock.monotonicMs() - dueMs);
      this.#meanMs += (lateMs - this.#meanMs) / LOOKS;
      this.start();
    });
  }

  /** Harmless twice. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
