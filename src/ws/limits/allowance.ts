import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket } from '#kernel/work/token-bucket.js';

/** Faster than people press keys, and than clients that type for them. */
const TERMS = { perSecond: 20, size: 100 };

/**
 * Rate limit of typed turns and DTMF digits of one peer: each is stored, and a flood would block the database for
 * other calls.
 */
export class Allowance {
  readonly #bucket: TokenBucket;
  #refused = 0;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(TERMS, clock);
  }

  /** Number of refused messages. */
  get refused(): number {
    return this.#refused;
  }

  /** True if one more message is accepted. */
  take(): boolean {
    const isTaken = this.#bucket.take();
    if (!isTaken) this.#refused += 1;
    return isTaken;
  }
}
