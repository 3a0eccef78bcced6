import WebSocket from 'ws';
import { decodeUlaw, encodeUlaw, ULAW_SILENCE } from '../../../../src/media/g711.js';
import type { Wheel } from '../../../../src/media/wheel.js';
import type { Person } from '../person.js';
import { GatewayPlayout } from '../twilio/playout.js';
import { readServiceFrame, StreamFrames, type ServiceFrame, type StreamOfCall } from './stream-frames.js';

/** How a stream ended: by the service's close, by us, or because it could not be opened. */
export type StreamEnd = { by: 'service' | 'carrier' } | { by: 'error'; code: 100_002; text: string };

const FRAME_LENGTH = 160;
const SOCKET_OPTIONS = { perMessageDeflate: false, closeTimeout: 2_000 };
const SILENCE = Buffer.alloc(FRAME_LENGTH, ULAW_SILENCE);
/** Every so many frames one is overtaken by the next: Telnyx does not promise their order. */
const OVERTAKEN_EVERY = 50;

/** One bidirectional stream (`rtp`, PCMU): the person of a call on one side, a WebSocket of the service on the other. */
export class MediaGateway {
  readonly ended: Promise<StreamEnd>;
  /** Resolves when the connection is open, or never will be. */
  readonly settled: Promise<void>;
  /** What the service has sent besides sound, in order. */
  readonly serviceFrames: ServiceFrame[] = [];
  /** How much sound has come from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly frames: StreamFrames;
  readonly #socket: WebSocket;
  readonly #playout: GatewayPlayout;
  readonly #person: Person;
  readonly #onFault: (text: string) => void;
  #resolveEnd: (end: StreamEnd) => void = () => {};
  #leaveWheel: (() => void) | null = null;
  #overtaken: object | null = null;
  #turns = 0;
  isOver = false;

  constructor(
    url: string,
    call: StreamOfCall,
    parts: { wheel: Wheel; person: Person; onFault: (text: string) => void },
  ) {
    this.#person = parts.person;
    this.#onFault = parts.onFault;
    this.frames = new StreamFrames(call);
    this.#playout = new GatewayPlayout((name) => this.#send(this.frames.mark(name)));
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    this.#socket = new WebSocket(url, SOCKET_OPTIONS);
    this.settled = new Promise((resolve) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('close', () => resolve());
    });
    this.#socket.on('open', () => {
      if (this.isOver) return;
      this.#send(this.frames.connected());
      this.#send(this.frames.start());
      this.#leaveWheel = parts.wheel.join(() => this.#turn());
    });
    this.#socket.on('message', (data: Buffer, isBinary) => this.#take(isBinary ? '' : data.toString()));
    // An error is followed by `close`, which decides.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () =>
      this.#end(
        this.isOpen
          ? { by: 'service' }
          : { by: 'error', code: 100_002, text: 'the stream could not be opened' },
      ),
    );
  }

  get streamSid(): string {
    return this.frames.streamId;
  }

  /** Whether the service has taken the connection. */
  get isOpen(): boolean {
    return this.#leaveWheel !== null;
  }

  press(digit: string): void {
    this.#send(this.frames.dtmf(digit));
  }

  /** The call is over, or goes on elsewhere. */
  stop(): void {
    this.#end({ by: 'carrier' });
  }

  /** Lets go of a socket whose other side does not answer the close. */
  terminate(): void {
    this.stop();
    this.#socket.terminate();
  }

  #turn(): void {
    const played = this.#playout.next();
    const heard = played && new Int16Array(FRAME_LENGTH);
    if (played && heard) decodeUlaw(played, heard);
    const said = this.#person.frame(heard);
    if (this.isOver) return;
    const media = this.frames.media(said ? encoded(said) : SILENCE);
    this.#turns += 1;
    if (this.#turns % OVERTAKEN_EVERY === 0) return void (this.#overtaken = media);
    this.#send(media);
    if (this.#overtaken) this.#send(this.#overtaken);
    this.#overtaken = null;
  }

  /** What is malformed is told, and left out. */
  #take(text: string): void {
    if (this.isOver) return;
    const frame = readServiceFrame(text);
    if (!frame) {
      this.#onFault('a message that is not of the protocol');
      return this.#send(this.frames.error('malformed_frame'));
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

  #send(frame: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #end(end: StreamEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#leaveWheel?.();
    this.#send(this.frames.stop());
    if (this.isOpen) this.#socket.close(1000);
    else this.#socket.terminate();
    this.#resolveEnd(end);
  }
}

function encoded(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length);
  encodeUlaw(samples, bytes);
  return bytes;
}
