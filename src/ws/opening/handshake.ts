import type { StreamRight } from '#calls/live/sessions/live-call.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { Clock } from '#kernel/time/clock.js';
import { createProtocolDetector } from '#telephony/detect-protocol.js';
import { createRawAudio, type RawAudioFormat } from '#telephony/raw-audio.js';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import { NOT_BEGUN, TOKEN_MISSING, type Closing } from '#ws/limits/closing.js';
import type { StreamRequest } from './stream-request.js';

/** Time limit of the handshake, from the opening of the socket; a carrier's first message begins it once more. */
export const HANDSHAKE_MS = 5_000;
/** A peer with a credential that sends nothing for this long only listens: it gets raw audio, the plain protocol. */
const PLAIN_AFTER_MS = 500;
/** More than any protocol sends before its stream begins. */
const MOST_MESSAGES = 10;

/** The result of a handshake. */
export interface HandshakeResult {
  protocol: StreamProtocol;
  /** The right of the request, or a token or credential from the first messages, which must be checked. */
  right: StreamRight | { kind: 'unchecked'; credential: string };
  providerCallId: string | null;
  /** Fields of a start message that brought the token of a plain stream: they describe the caller. Otherwise empty. */
  parameters: Readonly<Record<string, string>>;
  /** The first message of the stream, if it was needed to detect the protocol. */
  unread: { message: Buffer; isBinary: boolean } | null;
}

/**
 * The handshake of an audio socket: its first messages determine the protocol and, if the request had no credential,
 * the right. No expensive step happens before its end. Used by `AudioSocket`.
 */
export class Handshake {
  readonly #format: RawAudioFormat;
  readonly #right: StreamRight | null;
  readonly #clock: Clock;
  readonly #resampling: Resampling;
  readonly #onReady: (handshakeResult: HandshakeResult) => void;
  readonly #onRefused: (closing: Closing) => void;
  readonly #detect = createProtocolDetector();
  /** The protocol of a carrier, once it is detected. */
  #protocol: StreamProtocol | null = null;
  /** True after a first message of a carrier's protocol. */
  #hasGreeted = false;
  /** Number of messages received. */
  #messages = 0;
  /** Cancels the current time limit. */
  #cancelTimer = () => {};

  constructor(
    requested: { format: RawAudioFormat; right: StreamRight | null },
    parts: {
      clock: Clock;
      resampling: Resampling;
      onReady: (handshakeResult: HandshakeResult) => void;
      onRefused: (closing: Closing) => void;
    },
  ) {
    this.#format = requested.format;
    this.#right = requested.right;
    this.#clock = parts.clock;
    this.#resampling = parts.resampling;
    this.#onReady = parts.onReady;
    this.#onRefused = parts.onRefused;
  }

  /** Starts the time limits; ends the handshake at once if the request names a plain format and has a credential. */
  begin({ isPlain, isCarrier }: Pick<StreamRequest, 'isPlain' | 'isCarrier'>): void {
    const plainAfterMs = isCarrier ? HANDSHAKE_MS : PLAIN_AFTER_MS;
    if (this.#right === null) this.#setTimer(HANDSHAKE_MS, () => this.#refuse());
    else if (isPlain) this.#startPlain(this.#right, null);
    else this.#setTimer(plainAfterMs, () => this.#startPlain(this.#right!, null));
  }

  /** Takes a message of the peer. @throws ProtocolError for a message of no known protocol */
  receive(message: Buffer, isBinary: boolean): void {
    if (this.#right === null && isBinary) return this.#refuse();
    if (++this.#messages > MOST_MESSAGES) return this.#refuse();
    if (this.#protocol !== null) return this.#readStart(this.#protocol, message, isBinary);
    const detected = this.#detect(message, isBinary);
    if (detected === 'plain') return this.#readPlain(message, isBinary);
    if (!this.#hasGreeted) this.#setTimer(HANDSHAKE_MS, () => this.#refuse());
    this.#hasGreeted = true;
    if (detected === 'greeted') return;
    this.#protocol = detected;
    this.#readStart(detected, message, isBinary);
  }

  /** Cancels the time limit. */
  cancel(): void {
    this.#cancelTimer();
  }

  /** Reads a carrier's message; its start message ends the handshake. */
  #readStart(protocol: StreamProtocol, message: Buffer, isBinary: boolean): void {
    const start = protocol.decode(message, isBinary);
    if (start?.kind !== 'start') return;
    const right = this.#right ?? uncheckedRight(start.parameters['token']);
    if (right === null) return this.#refuse();
    this.#ready({ protocol, right, providerCallId: start.providerCallId, parameters: {}, unread: null });
  }

  /** Reads the first message of the plain protocol, which may hold a token and the caller's data. */
  #readPlain(message: Buffer, isBinary: boolean): void {
    if (this.#right !== null) return this.#startPlain(this.#right, { message, isBinary });
    const protocol = createRawAudio(this.#format, this.#resampling);
    const start = protocol.decode(message, false);
    const parameters = start?.kind === 'start' ? start.parameters : {};
    const right = uncheckedRight(parameters['token']);
    if (right === null) return this.#refuse();
    this.#ready({ protocol, right, providerCallId: null, parameters, unread: null });
  }

  /** Ends the handshake with the plain protocol. */
  #startPlain(right: StreamRight, unread: HandshakeResult['unread']): void {
    const protocol = createRawAudio(this.#format, this.#resampling);
    this.#ready({ protocol, right, providerCallId: null, parameters: {}, unread });
  }

  #ready(handshakeResult: HandshakeResult): void {
    this.#cancelTimer();
    this.#onReady(handshakeResult);
  }

  #refuse(): void {
    this.#cancelTimer();
    this.#onRefused(this.#right === null ? TOKEN_MISSING : NOT_BEGUN);
  }

  #setTimer(delayMs: number, onTimeout: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(delayMs, onTimeout);
  }
}

/** The right by a credential of the first messages, which is checked later; null without a credential. */
function uncheckedRight(credential: string | undefined): { kind: 'unchecked'; credential: string } | null {
  return credential ? { kind: 'unchecked', credential } : null;
}
