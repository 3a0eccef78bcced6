import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket } from '#kernel/work/token-bucket.js';

/**
 * Far more than audio in the smallest pieces needs, at little cost. After a stall a peer may send forty seconds of
 * frames at once.
 */
const TERMS = { perSecond: 4_000, size: 2_000 };
/** Tokens taken per reading of the clock. */
const PAID_AT_ONCE = 50;

/** The source of messages; a WebSocket. */
export interface Source {
  pause(): void;
  resume(): void;
}

/**
 * Rate limit on messages of one peer. Handling messages costs more than sending them: a flood would hold up the audio
 * of all other calls. None is lost; TCP makes the peer wait.
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

  /** Counts one message. */
  count(): void {
    if (this.#paid === 0) this.#pay();
    this.#paid -= 1;
  }

  #pay(): void {
    this.#paid = PAID_AT_ONCE;
    if (this.#bucket.spend(PAID_AT_ONCE) >= 0) return;
    const restMs = this.#bucket.msUntil(0);
    this.#source.pause();
    // Messages already read still arrive, and lengthen the pause.
    this.#cancelRest?.();
    this.#cancelRest = this.#clock.after(restMs, () => this.#goOn());
  }

  /** Cancels a pending resume. */
  stop(): void {
    this.#cancelRest?.();
    this.#cancelRest = null;
  }

  #goOn(): void {
    this.#cancelRest = null;
    this.#source.resume();
  }
}
