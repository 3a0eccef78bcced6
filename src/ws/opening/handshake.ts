import type { StreamRight } from '#calls/live/sessions/live-call.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { Clock } from '#kernel/time/clock.js';
import { createProtocolDetector } from '#telephony/detect-protocol.js';
import { createRawAudio, type RawAudioFormat } from '#telephony/raw-audio.js';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import { NOT_BEGUN, TOKEN_MISSING, type Closing } from '#ws/limits/closing.js';
import type { StreamRequest } from './stream-request.js';

/** Time limit of the handshake. */
export const HANDSHAKE_MS = 5_000;
/** A silent peer with a credential only listens: it gets plain audio after this time. */
const LISTENER_MS = 500;
/** More than any protocol sends before its stream begins. */
const MOST_MESSAGES = 10;

/** The result of a handshake. */
export interface HandshakeResult {
  protocol: StreamProtocol;
  /** The right, or an unchecked token or credential from the first messages. */
  right: StreamRight | { kind: 'unchecked'; credential: string };
  providerCallId: string | null;
  /** Fields of the start message, without its credential. */
  parameters: Readonly<Record<string, string>>;
  /** The first message of the stream, if it was needed to detect the protocol. */
  unread: { message: Buffer; isBinary: boolean } | null;
}

/**
 * Handshake of a socket: its first messages determine the protocol and, if the request had no credential, the right.
 * No expensive step happens before its end.
 */
export class Handshake {
  readonly #format: RawAudioFormat;
  readonly #right: StreamRight | null;
  readonly #clock: Clock;
  readonly #resampling: Resampling;
  readonly #onReady: (handshakeResult: HandshakeResult) => void;
  readonly #onRefused: (closing: Closing) => void;
  readonly #detect = createProtocolDetector();
  /** The detected protocol of a carrier. */
  #protocol: StreamProtocol | null = null;
  #hasGreeted = false;
  #messages = 0;
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

  begin({ isPlain, isCarrier }: Pick<StreamRequest, 'isPlain' | 'isCarrier'>): void {
    const silenceMs = isCarrier ? HANDSHAKE_MS : LISTENER_MS;
    if (this.#right === null) this.#expectWithin(HANDSHAKE_MS, () => this.#refuse());
    else if (isPlain) this.#startPlain(this.#right, null);
    else this.#expectWithin(silenceMs, () => this.#startPlain(this.#right!, null));
  }

  /** @throws ProtocolError for a message of no known protocol */
  receive(message: Buffer, isBinary: boolean): void {
    if (this.#right === null && isBinary) return this.#refuse();
    if (++this.#messages > MOST_MESSAGES) return this.#refuse();
    if (this.#protocol !== null) return this.#readStart(this.#protocol, message, isBinary);
    const detected = this.#detect(message, isBinary);
    if (detected === 'plain') return this.#readPlain(message, isBinary);
    if (!this.#hasGreeted) this.#expectWithin(HANDSHAKE_MS, () => this.#refuse());
    this.#hasGreeted = true;
    if (detected === 'greeted') return;
    this.#protocol = detected;
    this.#readStart(detected, message, isBinary);
  }

  /** Cancels the time limit. */
  cancel(): void {
    this.#cancelTimer();
  }

  #readStart(protocol: StreamProtocol, message: Buffer, isBinary: boolean): void {
    const said = protocol.decode(message, isBinary);
    if (said?.kind !== 'start') return;
    const right = this.#right ?? unchecked(said.parameters['token']);
    if (right === null) return this.#refuse();
    this.#ready({ protocol, right, providerCallId: said.providerCallId, parameters: {}, unread: null });
  }

  #readPlain(message: Buffer, isBinary: boolean): void {
    if (this.#right !== null) return this.#startPlain(this.#right, { message, isBinary });
    const protocol = createRawAudio(this.#format, this.#resampling);
    const said = protocol.decode(message, false);
    const parameters = said?.kind === 'start' ? said.parameters : {};
    const right = unchecked(parameters['token']);
    if (right === null) return this.#refuse();
    this.#ready({ protocol, right, providerCallId: null, parameters, unread: null });
  }

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

  #expectWithin(delayMs: number, otherwise: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(delayMs, otherwise);
  }
}

function unchecked(credential: string | undefined): { kind: 'unchecked'; credential: string } | null {
  return credential ? { kind: 'unchecked', credential } : null;
}
