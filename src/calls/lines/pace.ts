import type { Clock } from '../../kernel/time/clock.js';
import { TokenBucket } from '../../kernel/work/token-bucket.js';

/** The share of a second whose calls may go out at once: a carrier that counts by the second sees no burst. */
const BURST_SECONDS = 0.1;

/** How fast calls may be started at a carrier. */
export class Pace {
  readonly #bucket: TokenBucket;

  constructor(callsPerSecond: number, clock: Clock) {
    const size = Math.max(1, callsPerSecond * BURST_SECONDS);
    this.#bucket = new TokenBucket({ perSecond: callsPerSecond, size }, clock);
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

  /** No call for so long: the carrier has said that it was too much. */
  pause(durationMs: number): void {
    this.#bucket.pause(durationMs);
  }
}
