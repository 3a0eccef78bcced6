import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket, type TokenBucketTerms } from '#kernel/work/token-bucket.js';

/** The share of a second whose calls may go out at once: a carrier that counts by the second sees no burst. */
const BURST_SECONDS = 0.1;

/** How fast calls may be started at a carrier. */
export class CallRateLimiter {
  readonly #callsPerSecond: number;
  readonly #bucket: TokenBucket;

  constructor(callsPerSecond: number, clock: Clock) {
    this.#callsPerSecond = callsPerSecond;
    this.#bucket = new TokenBucket(termsOf(callsPerSecond), clock);
  }

  /** So many processes start calls at the carrier: each may start its part of what they may together. */
  shareAmong(processes: number): void {
    this.#bucket.refill(termsOf(this.#callsPerSecond / processes));
  }

  /** How many calls may be started now. */
  get available(): number {
    return Math.max(0, Math.floor(this.#bucket.left));
  }

  /** Milliseconds until one more call may be started; 0 when one may be now. */
  get waitMs(): number {
    return Math.ceil(this.#bucket.msUntil(1));
  }

  /** Some calls are being started. */
  spend(count: number): void {
    this.#bucket.spend(count);
  }

  /** Some that were to be started are not. */
  giveBack(count: number): void {
    this.#bucket.giveBack(count);
  }

  /** No call for so long: the carrier has said that it was too much. */
  pause(durationMs: number): void {
    this.#bucket.pause(durationMs);
  }
}

function termsOf(perSecond: number): TokenBucketTerms {
  return { perSecond, size: Math.max(1, perSecond * BURST_SECONDS) };
}
