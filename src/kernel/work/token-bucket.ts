import type { Clock } from '#kernel/time/clock.js';

/** Rate and size of a {@link TokenBucket}. */
export interface TokenBucketTerms {
  perSecond: number;
  /** Capacity in tokens: the largest burst. A new bucket is full. */
  size: number;
}

/**
 * A rate limiter of the usual kind (token bucket). It runs on monotonic time, so that a jump of the wall clock neither
 * blocks nor opens it.
 */
export class TokenBucket {
  readonly #clock: Clock;
  #perMs: number;
  #size: number;
  #left: number;
  #countedAtMs: number;
  #pausedUntilMs = -Infinity;

  constructor({ perSecond, size }: TokenBucketTerms, clock: Clock) {
    this.#clock = clock;
    this.#perMs = perSecond / 1_000;
    this.#size = size;
    this.#left = size;
    this.#countedAtMs = clock.monotonicMs();
  }

  /** Changes rate and size. The tokens stay, up to the new size, and a pause ends when it would have ended. */
  refill({ perSecond, size }: TokenBucketTerms): void {
    const { left } = this;
    const pauseMs = this.#pausedUntilMs - this.#countedAtMs;
    this.#perMs = perSecond / 1_000;
    this.#size = size;
    this.#left = pauseMs > 0 ? this.#leftInPause(pauseMs) : left;
  }

  /** Tokens, with a fraction; negative while more were spent than there were. */
  get left(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(this.#size, this.#left + (nowMs - this.#countedAtMs) * this.#perMs);
    this.#countedAtMs = nowMs;
    return this.#left;
  }

  /** Takes tokens, even more than there are; returns {@link left}. */
  spend(count: number): number {
    this.#left = this.left - count;
    return this.#left;
  }

  /** Returns unused tokens; ignored during a pause. */
  giveBack(count: number): void {
    if (this.#clock.monotonicMs() >= this.#pausedUntilMs)
      this.#left = Math.min(this.#size, this.left + count);
  }

  /** Takes one token if there is one; returns whether there was. */
  take(): boolean {
    if (this.left < 1) return false;
    this.spend(1);
    return true;
  }

  /** Milliseconds until the bucket has `count` tokens, with a fraction; 0 when it has. */
  msUntil(count: number): number {
    return Math.max(0, count - this.left) / this.#perMs;
  }

  /** Gives no token for `durationMs`; then there is one. */
  pause(durationMs: number): void {
    this.#left = Math.min(this.left, this.#leftInPause(durationMs));
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#countedAtMs + durationMs);
  }

  /** The tokens during a pause: as many fewer than 1 as will be added until it ends. */
  #leftInPause(pauseMs: number): number {
    return 1 - pauseMs * this.#perMs;
  }
}
