import type { Clock } from '#kernel/time/clock.js';

/** Rate and size of a {@link TokenBucket}. */
export interface TokenBucketTerms {
  perSecond: number;
  /** Capacity in tokens: the largest burst. A new bucket is full. */
  size: number;
}

/**
 * A rate limiter (token bucket): limits the calls per second at a carrier, and the messages of WebSocket clients. It
 * runs on monotonic time, so that a jump of the wall clock neither blocks nor opens it.
 */
export class TokenBucket {
  readonly #clock: Clock;
  #perMs: number;
  #size: number;
  #tokens: number;
  #refilledAtMs: number;
  #pausedUntilMs = -Infinity;

  constructor({ perSecond, size }: TokenBucketTerms, clock: Clock) {
    this.#clock = clock;
    this.#perMs = perSecond / 1_000;
    this.#size = size;
    this.#tokens = size;
    this.#refilledAtMs = clock.monotonicMs();
  }

  /** Changes rate and size. The tokens stay, up to the new size, and a pause ends when it would have ended. */
  setTerms({ perSecond, size }: TokenBucketTerms): void {
    const { left } = this;
    const pauseMs = this.#pausedUntilMs - this.#refilledAtMs;
    this.#perMs = perSecond / 1_000;
    this.#size = size;
    this.#tokens = pauseMs > 0 ? this.#leftInPause(pauseMs) : left;
  }

  /** The tokens now, with a fraction; negative while more were spent than there were. */
  get left(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#size, this.#tokens + (nowMs - this.#refilledAtMs) * this.#perMs);
    this.#refilledAtMs = nowMs;
    return this.#tokens;
  }

  /** Takes tokens, even more than there are; returns how many are left, which may be negative. */
  spend(count: number): number {
    this.#tokens = this.left - count;
    return this.#tokens;
  }

  /** Returns unused tokens; ignored during a pause, which would end too early. */
  giveBack(count: number): void {
    if (this.#clock.monotonicMs() >= this.#pausedUntilMs)
      this.#tokens = Math.min(this.#size, this.left + count);
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

  /** Gives no token for `durationMs` (a carrier has refused a call as too fast); then there is one token. */
  pause(durationMs: number): void {
    this.#tokens = Math.min(this.left, this.#leftInPause(durationMs));
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#refilledAtMs + durationMs);
  }

  /** The tokens at the start of a pause: negative, so that exactly one token has accumulated when the pause ends. */
  #leftInPause(pauseMs: number): number {
    return 1 - pauseMs * this.#perMs;
  }
}
