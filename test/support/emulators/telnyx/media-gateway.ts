import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { CarrierStream } from '#test/support/emulators/carrier-stream.js';
import type { Person } from '#test/support/emulators/person.js';
import { exchangeUlaw } from '#test/support/emulators/sound-bytes.js';
import { GatewayPlayout } from '#test/support/emulators/twilio/playout.js';
import { readServiceFrame, StreamFrames, type ServiceFrame, type StreamOfCall } from './stream-frames.js';

/** How a stream ended: closed by the service, by the carrier, or never opened. */
export type StreamEnd = { by: 'service' | 'carrier' } | { by: 'error'; code: 100_002; text: string };

/** Every this many frames, one is overtaken by the next: Telnyx does not guarantee their order. */
const OVERTAKEN_EVERY = 50;

/**
 * One bidirectional stream (`rtp`, PCMU): the person of a call on one side, a WebSocket of the service on the other.
 */
export class MediaGateway extends CarrierStream<StreamEnd> {
  /** Messages of the service other than audio, in order. */
  readonly serviceFrames: ServiceFrame[] = [];
  /** Audio received from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly frames: StreamFrames;
  readonly #playout = new GatewayPlayout((name) => this.send(this.frames.mark(name)));
  readonly #person: Person;
  readonly #onFault: (text: string) => void;
  #overtaken: object | null = null;
  #turns = 0;

  constructor(
    url: string,
    call: StreamOfCall,
    parts: { pacingTimer: PacingTimer; person: Person; onFault: (text: string) => void },
  ) {
    super({ url }, parts.pacingTimer);
    this.#person = parts.person;
    this.#onFault = parts.onFault;
    this.frames = new StreamFrames(call);
  }

  get streamSid(): string {
    return this.frames.streamId;
  }

  press(digit: string): void {
    this.send(this.frames.dtmf(digit));
  }

  stop(): void {
    this.end({ by: 'carrier' });
  }

  protected begin(): void {
    this.send(this.frames.connected());
    this.send(this.frames.start());
  }

  protected turn(): void {
    const said = exchangeUlaw(this.#person, this.#playout.next());
    if (this.isOver) return;
    const media = this.frames.media(said);
    this.#turns += 1;
    if (this.#turns % OVERTAKEN_EVERY === 0) return void (this.#overtaken = media);
    this.send(media);
    if (this.#overtaken) this.send(this.#overtaken);
    this.#overtaken = null;
  }

  /** Malformed messages are reported and ignored. */
  protected take(data: Buffer, isBinary: boolean): void {
    const frame = isBinary ? null : readServiceFrame(data.toString());
    if (!frame) {
      this.#onFault('a message that is not of the protocol');
      return this.send(this.frames.error('malformed_frame'));
    }
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
    this.send(this.frames.stop());
  }

  protected closed(): StreamEnd {
    return this.isOpen
      ? { by: 'service' }
      : { by: 'error', code: 100_002, text: 'the stream could not be opened' };
  }
}
