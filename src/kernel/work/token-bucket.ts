import type { Clock } from '#kernel/time/clock.js';

/** How a {@link TokenBucket} fills. */
export interface TokenBucketTerms {
  perSecond: number;
  /** As many as it holds: so many may be spent at once. It is full at first. */
  size: number;
}

/**
 * A limit on how often something happens: a bucket of tokens that fills as time passes. It is kept in monotonic time,
 * so a clock that jumps neither stops it nor opens it.
 */
export class TokenBucket {
  readonly #clock: Clock;
  #perMs: number;
  #size: number;
  #left: number;
  #countedAtMs: number;
  #restsUntilMs = -Infinity;

  constructor({ perSecond, size }: TokenBucketTerms, clock: Clock) {
    this.#clock = clock;
    this.#perMs = perSecond / 1_000;
    this.#size = size;
    this.#left = size;
    this.#countedAtMs = clock.monotonicMs();
  }

  /** Fills by other terms from now on: what there is stays as far as there is room, and a rest is as long as it was. */
  refill({ perSecond, size }: TokenBucketTerms): void {
    const { left } = this;
    const restMs = this.#restsUntilMs - this.#countedAtMs;
    this.#perMs = perSecond / 1_000;
    this.#size = size;
    this.#left = restMs > 0 ? this.#leftInRest(restMs) : left;
  }

  /** How many tokens there are, with fractions; below 0 while more was spent than there was. */
  get left(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(this.#size, this.#left + (nowMs - this.#countedAtMs) * this.#perMs);
    this.#countedAtMs = nowMs;
    return this.#left;
  }

  /** Takes tokens out, whether or not there are as many; {@link left} then. */
  spend(count: number): number {
    this.#left = this.left - count;
    return this.#left;
  }

  /** Puts back what was spent and is not needed; while it rests there is no room for that. */
  giveBack(count: number): void {
    if (this.#clock.monotonicMs() >= this.#restsUntilMs) this.#left = Math.min(this.#size, this.left + count);
  }

  /** Takes one out where there is one, and says whether there was. */
  take(): boolean {
    if (this.left < 1) return false;
    this.spend(1);
    return true;
  }

  /** Milliseconds until there are so many, with fractions; 0 when there are now. */
  msUntil(count: number): number {
    return Math.max(0, count - this.left) / this.#perMs;
  }

  /** None is left until so many milliseconds have passed; then there is one. */
  pause(durationMs: number): void {
    this.#left = Math.min(this.left, this.#leftInRest(durationMs));
    this.#restsUntilMs = Math.max(this.#restsUntilMs, this.#countedAtMs + durationMs);
  }

  /** How many there are when it rests for so much longer, at the end of which there is one. */
  #leftInRest(restMs: number): number {
    return 1 - restMs * this.#perMs;
  }
}
