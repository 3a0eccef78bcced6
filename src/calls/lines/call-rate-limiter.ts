import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket, type TokenBucketTerms } from '#kernel/work/token-bucket.js';

/**
 * How much of a second's calls may start at once: at 50 calls per second five of them, and one more every 20 ms. At
 * least one call may (`bucketTerms`).
 */
const BURST_SECONDS = 0.1;

/**
 * Limits how fast this process starts calls at the carrier of outbound calls. `CallEngine` creates it, `Dialler` spends
 * its tokens, and `CallPlacer` pauses it when the carrier refuses a call for its rate limit.
 */
export class CallRateLimiter {
  readonly #callsPerSecond: number;
  readonly #bucket: TokenBucket;

  constructor(callsPerSecond: number, clock: Clock) {
    this.#callsPerSecond = callsPerSecond;
    this.#bucket = new TokenBucket(bucketTerms(callsPerSecond), clock);
  }

  /** Sets this process's share of the limit when `processes` processes start calls at the carrier. */
  shareAmong(processes: number): void {
    this.#bucket.setTerms(bucketTerms(this.#callsPerSecond / processes));
  }

  /** How many calls may be started now. */
  get available(): number {
    return Math.max(0, Math.floor(this.#bucket.left));
  }

  /** Milliseconds until one more call may be started; 0 when one may be now. */
  get waitMs(): number {
    return Math.ceil(this.#bucket.msUntil(1));
  }

  /** Counts calls that are about to start. */
  spend(count: number): void {
    this.#bucket.spend(count);
  }

  /** Uncounts calls that do not start after all. */
  giveBack(count: number): void {
    this.#bucket.giveBack(count);
  }

  /** Starts no call for this time, because the carrier refused one for its rate limit. */
  pause(durationMs: number): void {
    this.#bucket.pause(durationMs);
  }
}

/** The terms of the token bucket for a rate: small bursts, because carriers count the calls of each second. */
function bucketTerms(perSecond: number): TokenBucketTerms {
  return { perSecond, size: Math.max(1, perSecond * BURST_SECONDS) };
}
