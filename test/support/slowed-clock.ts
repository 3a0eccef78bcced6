import type { Clock } from '#kernel/time/clock.js';

/** The interval of checks for a stalled machine, and the largest delay of a check, in milliseconds. */
const LOOK_EVERY_MS = 10;
const LATE_AT_MOST_MS = 100;

/**
 * A clock that runs `slowness` times slower than `clock`, and almost stops while this process is stalled: for
 * services whose calls are judged by timing, on a busy machine.
 */
export function slowedClock(clock: Clock, slowness: number): Clock {
  return new SlowedClock(clock, slowness);
}

class SlowedClock implements Clock {
  readonly #clock: Clock;
  readonly #slowness: number;
  readonly #startedAt: number;
  #passedMs = 0;
  #lookedAtMs: number;
  /** Pending timers. Without any, nothing can be late. */
  #armed = 0;

  constructor(clock: Clock, slowness: number) {
    this.#clock = clock;
    this.#slowness = slowness;
    this.#startedAt = clock.wallMs();
    this.#lookedAtMs = clock.monotonicMs();
  }

  wallMs(): number {
    return this.#startedAt + Math.floor(this.monotonicMs());
  }

  monotonicMs(): number {
    const nowMs = this.#clock.monotonicMs();
    const sinceMs = nowMs - this.#lookedAtMs;
    this.#passedMs += (this.#armed > 0 ? Math.min(sinceMs, LATE_AT_MOST_MS) : sinceMs) / this.#slowness;
    this.#lookedAtMs = nowMs;
    return this.#passedMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const dueMs = this.monotonicMs() + delayMs;
    let isOver = false;
    let cancel = () => {};
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.monotonicMs();
      this.#armed -= 1;
    };
    const arm = () => {
      const remainingMs = dueMs - this.monotonicMs();
      cancel = this.#clock.after(remainingMs * this.#slowness, () => {
        if (this.monotonicMs() < dueMs) return arm();
        end();
        task();
      });
    };
    this.#armed += 1;
    if (this.#armed === 1) this.#keepLooking();
    arm();
    return () => {
      end();
      cancel();
    };
  }

  #keepLooking(): void {
    this.monotonicMs();
    if (this.#armed > 0) this.#clock.after(LOOK_EVERY_MS, () => this.#keepLooking());
  }
}
