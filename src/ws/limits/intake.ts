import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket } from '#kernel/work/token-bucket.js';

/**
 * Many times what sound in the smallest pieces needs, and next to no work. A peer that was held up may send forty
 * seconds of frames at once.
 */
const TERMS = { perSecond: 4_000, size: 2_000 };
/** Paid for at once, so that not every message looks at the clock. */
const PAID_AT_ONCE = 50;

/** What messages come from; a WebSocket. */
export interface Source {
  pause(): void;
  resume(): void;
}

/**
 * Reads a peer no faster than anybody speaks. Messages are cheap to send and dear to take in: a flood of them would
 * keep the process from the sound of all other calls. None is lost; the peer has to wait, as TCP makes it.
 */
export class Intake {
  readonly #source: Source;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  #paid = 0;
  #cancelRest: (() => void) | null = null;

  constructor(source: Source, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#bucket = new TokenBucket(TERMS, clock);
  }

  /** One more message. */
  count(): void {
    if (this.#paid === 0) this.#pay();
    this.#paid -= 1;
  }

  #pay(): void {
    this.#paid = PAID_AT_ONCE;
    if (this.#bucket.spend(PAID_AT_ONCE) >= 0) return;
    const restMs = this.#bucket.msUntil(0);
    this.#source.pause();
    // What was read already still comes, and makes the rest longer.
    this.#cancelRest?.();
    this.#cancelRest = this.#clock.after(restMs, () => this.#goOn());
  }

  /** Nothing more is waited for. */
  stop(): void {
    this.#cancelRest?.();
    this.#cancelRest = null;
  }

  #goOn(): void {
    this.#cancelRest = null;
    this.#source.resume();
  }
}
