import { randomBytes } from 'node:crypto';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { CarrierStream } from '#test/support/emulators/carrier-stream.js';
import type { Person } from '#test/support/emulators/person.js';
import { exchangeUlaw } from '#test/support/emulators/sound-bytes.js';
import type { Dialect } from './dialect.js';
import { GatewayPlayout } from './playout.js';
import { readServiceFrame, StreamFrames, type ServiceFrame } from './stream-frames.js';

/** How a stream ended: closed by the service, by the carrier, or with a code of Twilio's error catalogue. */
export type StreamEnd =
  | { by: 'service'; closeCode: number }
  | { by: 'carrier' }
  | { by: 'error'; code: 31920 | 31924; text: string };

export interface StreamRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  parameters: Readonly<Record<string, string>>;
  callSid: string;
  accountSid: string;
}

/** One bidirectional stream: the person of a call on one side, a WebSocket of the service on the other. */
export class MediaGateway extends CarrierStream<StreamEnd> {
  readonly streamSid = `MZ${randomBytes(16).toString('hex')}`;
  /** Messages of the service other than audio, in order. */
  readonly serviceFrames: ServiceFrame[] = [];
  /** Audio received from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly #request: StreamRequest;
  readonly #person: Person;
  readonly #frames: StreamFrames;
  readonly #playout = new GatewayPlayout((name) => this.send(this.#frames.mark(name)));

  constructor(request: StreamRequest, parts: { dialect: Dialect; pacingTimer: PacingTimer; person: Person }) {
    super(request, parts.pacingTimer);
    const { callSid, accountSid } = request;
    this.#request = request;
    this.#person = parts.person;
    this.#frames = new StreamFrames(parts.dialect, { streamSid: this.streamSid, callSid, accountSid });
  }

  press(digit: string): void {
    this.send(this.#frames.dtmf(digit));
  }

  stop(): void {
    this.end({ by: 'carrier' });
  }

  protected begin(): void {
    this.send(this.#frames.connected());
    this.send(this.#frames.start(this.#request.parameters));
  }

  protected turn(): void {
    const said = exchangeUlaw(this.#person, this.#playout.next());
    if (!this.isOver) this.send(this.#frames.media(said));
  }

  protected take(data: Buffer, isBinary: boolean): void {
    const frame = isBinary ? null : readServiceFrame(data.toString(), this.streamSid);
    if (!frame) return this.end({ by: 'error', code: 31924, text: 'a message that is not of the protocol' });
    if (frame.event === 'media') {
      const sound = Buffer.from(frame.media.payload, 'base64');
      this.receivedMs += sound.length / 8;
      return this.#playout.add(sound);
    }
    this.serviceFrames.push(frame);
    if (frame.event === 'mark') this.#playout.mark(frame.mark.name);
    else this.#playout.clear();
  }

  protected finish(): void {
    this.send(this.#frames.stop());
  }

  protected closed(closeCode: number): StreamEnd {
    return this.isOpen
      ? { by: 'service', closeCode }
      : { by: 'error', code: 31920, text: 'the stream could not be opened' };
  }
}
