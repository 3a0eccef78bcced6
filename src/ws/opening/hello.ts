import type { StreamRight } from '#calls/live/sessions/live-call.js';
import type { Clock } from '#kernel/time/clock.js';
import { createProtocolDetector } from '#telephony/detect-protocol.js';
import { createRawAudio, type RawAudioFormat } from '#telephony/raw-audio.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import { NOT_BEGUN, TOKEN_MISSING, type Closing } from '#ws/limits/closing.js';
import type { StreamRequest } from './stream-request.js';

/** A peer that must still say who it is, or begin its stream, has this long. */
export const HELLO_MS = 5_000;
/** A peer with a credential that says nothing only listens: it gets plain sound after this long. */
const LISTENER_MS = 500;
/** More than a protocol needs before its stream begins. */
const MOST_MESSAGES = 10;

/** What is known when a call can be opened. */
export interface Introduction {
  protocol: StreamProtocol;
  /** A token or credential that the peer brought in its first messages; the right is not known before it is checked. */
  right: StreamRight | { kind: 'unchecked'; credential: string };
  providerCallId: string | null;
  /** What the message that began the stream says, beside its credential. */
  parameters: Readonly<Record<string, string>>;
  /** The first message of the stream itself, when it was needed to tell the protocol. */
  unread: { message: Buffer; isBinary: boolean } | null;
}

/**
 * The first messages of a socket: they tell its protocol and, when its request had no credential, its right. Nothing
 * that costs anything happens before this is over.
 */
export class Hello {
  readonly #format: RawAudioFormat;
  readonly #right: StreamRight | null;
  readonly #clock: Clock;
  readonly #resampling: Resampling;
  readonly #onReady: (introduction: Introduction) => void;
  readonly #onRefused: (closing: Closing) => void;
  readonly #detect = createProtocolDetector();
  /** What a carrier was found to speak. */
  #protocol: StreamProtocol | null = null;
  #hasGreeted = false;
  #messages = 0;
  #cancelTimer = () => {};

  constructor(
    requested: { format: RawAudioFormat; right: StreamRight | null },
    parts: {
      clock: Clock;
      resampling: Resampling;
      onReady: (introduction: Introduction) => void;
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
    const silenceMs = isCarrier ? HELLO_MS : LISTENER_MS;
    if (this.#right === null) this.#expectWithin(HELLO_MS, () => this.#refuse());
    else if (isPlain) this.#startPlain(this.#right, null);
    else this.#expectWithin(silenceMs, () => this.#startPlain(this.#right!, null));
  }

  /** @throws ProtocolError when the message is of no protocol of ours */
  receive(message: Buffer, isBinary: boolean): void {
    if (this.#right === null && isBinary) return this.#refuse();
    if (++this.#messages > MOST_MESSAGES) return this.#refuse();
    if (this.#protocol !== null) return this.#readStart(this.#protocol, message, isBinary);
    const detected = this.#detect(message, isBinary);
    if (detected === 'plain') return this.#readPlain(message, isBinary);
    if (!this.#hasGreeted) this.#expectWithin(HELLO_MS, () => this.#refuse());
    this.#hasGreeted = true;
    if (detected === 'greeted') return;
    this.#protocol = detected;
    this.#readStart(detected, message, isBinary);
  }

  /** Stops waiting. */
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

  #startPlain(right: StreamRight, unread: Introduction['unread']): void {
    this.#ready({
      protocol: createRawAudio(this.#format, this.#resampling),
      right,
      providerCallId: null,
      parameters: {},
      unread,
    });
  }

  #ready(introduction: Introduction): void {
    this.#cancelTimer();
    this.#onReady(introduction);
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
