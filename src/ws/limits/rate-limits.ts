import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket } from '#kernel/work/token-bucket.js';
import type { Socket } from 'node:net';

/**
 * Far more than audio in the smallest pieces needs, at little cost. After a stall a peer may send forty seconds of
 * frames at once.
 */
const MESSAGE_LIMIT = { perSecond: 4_000, size: 2_000 };
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
export class MessageRateLimit {
  readonly #source: Source;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  #paid = 0;
  #cancelRest: (() => void) | null = null;

  constructor(source: Source, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#bucket = new TokenBucket(MESSAGE_LIMIT, clock);
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

/** Faster than people press keys, or clients type on their behalf. */
const TURN_LIMIT = { perSecond: 20, size: 100 };

/**
 * Rate limit of typed turns and DTMF digits of one peer: each is stored, and a flood would block the database for
 * other calls.
 */
export class TurnRateLimit {
  readonly #bucket: TokenBucket;
  #refused = 0;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(TURN_LIMIT, clock);
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

/** Far more than the first messages of any protocol need; a message that never ends is cut off here. */
const MOST_BYTES = 64 * 1024;

/**
 * Limits the bytes of an unauthenticated connection: a message may be a megabyte, and connections thousands.
 * `onTooMuch` is called at most once. Returns a function that stops counting.
 */
export function limitUnauthenticated(connection: Socket, onTooMuch: () => void): () => void {
  let sizeBytes = 0;
  const count = (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= MOST_BYTES) return;
    stop();
    onTooMuch();
  };
  const stop = () => void connection.off('data', count);
  connection.on('data', count);
  return stop;
}
