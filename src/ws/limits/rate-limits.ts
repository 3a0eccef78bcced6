import type { Clock } from '#kernel/time/clock.js';
import { TokenBucket } from '#kernel/work/token-bucket.js';
import type { Socket } from 'node:net';

/* Limits on messages and bytes from the peers of audio sockets. */

/**
 * The token bucket of messages: far more than audio in the smallest pieces needs. After a stall a peer may send `size`
 * messages at once, which is forty seconds of frames.
 */
const MESSAGE_LIMIT = { perSecond: 4_000, size: 2_000 };
/** Messages for which tokens are taken at once: reading the clock for each would cost more than the count. */
const TOKENS_AT_ONCE = 50;

/** The part of a WebSocket that the rate limit needs. */
export interface MessageSource {
  pause(): void;
  resume(): void;
}

/**
 * Rate limit on all messages of one peer: handling messages costs more than sending them, so a flood would delay the
 * audio of all other calls. Beyond the limit, reading is paused, and TCP makes the peer wait; no message is lost.
 */
export class MessageRateLimit {
  readonly #source: MessageSource;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  /** Messages that may still come before tokens are taken again. */
  #messagesLeft = 0;
  /** Cancels the timer that ends the pause; null while the socket is not paused. */
  #cancelTimer: (() => void) | null = null;

  constructor(source: MessageSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#bucket = new TokenBucket(MESSAGE_LIMIT, clock);
  }

  /** Counts one message; pauses the source if it is beyond the limit. */
  count(): void {
    if (this.#messagesLeft === 0) this.#takeTokens();
    this.#messagesLeft -= 1;
  }

  /** Takes tokens for the next messages; pauses the socket if there are none. */
  #takeTokens(): void {
    this.#messagesLeft = TOKENS_AT_ONCE;
    if (this.#bucket.spend(TOKENS_AT_ONCE) >= 0) return;
    const pauseMs = this.#bucket.msUntil(0);
    this.#source.pause();
    // Messages already read still arrive, and lengthen the pause.
    this.#cancelTimer?.();
    this.#cancelTimer = this.#clock.after(pauseMs, () => this.#resume());
  }

  /** Cancels the end of a pause: a paused socket stays paused until its owner resumes it. */
  cancelResume(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #resume(): void {
    this.#cancelTimer = null;
    this.#source.resume();
  }
}

/** The token bucket of inputs: more than people or clients send. */
const INPUT_LIMIT = { perSecond: 20, size: 100 };

/**
 * Rate limit of the inputs of one peer: typed turns, DTMF digits and interruptions. Most are stored, and a flood would
 * block the database for other calls.
 */
export class InputRateLimit {
  readonly #bucket: TokenBucket;
  #refused = 0;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(INPUT_LIMIT, clock);
  }

  /** Number of refused inputs. */
  get refused(): number {
    return this.#refused;
  }

  /** True if one more input is accepted. */
  take(): boolean {
    const isTaken = this.#bucket.take();
    if (!isTaken) this.#refused += 1;
    return isTaken;
  }
}

/** Most bytes before the credentials are checked: far more than the first messages of any protocol have. */
const MOST_UNAUTHENTICATED_BYTES = 64 * 1024;

/**
 * Limits the bytes of an unauthenticated connection: thousands of connections with a message of a megabyte each would
 * fill the memory. `onTooMuch` is called at most once. Returns a function that stops counting.
 */
export function limitUnauthenticated(connection: Socket, onTooMuch: () => void): () => void {
  let sizeBytes = 0;
  const count = (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= MOST_UNAUTHENTICATED_BYTES) return;
    stop();
    onTooMuch();
  };
  const stop = () => void connection.off('data', count);
  connection.on('data', count);
  return stop;
}
