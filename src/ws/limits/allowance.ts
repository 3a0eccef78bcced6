import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket } from '#kernel/work/token-bucket.js';

/** Faster than fingers are, and than clients that type for somebody. */
const TERMS = { perSecond: 20, size: 100 };

/**
 * How many turns and keys one peer may still send: each of them is written down, and a flood would keep the database
 * from every other call.
 */
export class Allowance {
  readonly #bucket: TokenBucket;
  #refused = 0;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(TERMS, clock);
  }

  /** How often there was nothing left. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether one more may be taken in. */
  take(): boolean {
    const isTaken = this.#bucket.take();
    if (!isTaken) this.#refused += 1;
    return isTaken;
  }
}
