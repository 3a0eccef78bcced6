import { randomBytes } from 'node:crypto';
import WebSocket from 'ws';
import { decodeUlaw, encodeUlaw, ULAW_SILENCE } from '../../../../src/media/g711.js';
import type { Wheel } from '../../../../src/media/wheel.js';
import type { Person } from '../person.js';
import type { Dialect } from './dialect.js';
import { GatewayPlayout } from './playout.js';
import { readServiceFrame, StreamFrames, type ServiceFrame } from './stream-frames.js';

/** How a stream ended: by the service's close, by us, or with a code of Twilio's error catalogue. */
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

const FRAME_LENGTH = 160;
const SOCKET_OPTIONS = { perMessageDeflate: false, closeTimeout: 2_000 };
const SILENCE = Buffer.alloc(FRAME_LENGTH, ULAW_SILENCE);

/** One bidirectional stream: the person of a call on one side, a WebSocket of the service on the other. */
export class MediaGateway {
  readonly streamSid = `MZ${randomBytes(16).toString('hex')}`;
  readonly ended: Promise<StreamEnd>;
  /** Resolves when the connection is open, or never will be. */
  readonly settled: Promise<void>;
  /** What the service has sent besides sound, in order. */
  readonly serviceFrames: ServiceFrame[] = [];
  /** How much sound has come from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly #socket: WebSocket;
  readonly #frames: StreamFrames;
  readonly #playout: GatewayPlayout;
  readonly #person: Person;
  #resolveEnd: (end: StreamEnd) => void = () => {};
  #leaveWheel: (() => void) | null = null;
  #isOver = false;

  constructor(request: StreamRequest, parts: { dialect: Dialect; wheel: Wheel; person: Person }) {
    const { callSid, accountSid, parameters } = request;
    this.#person = parts.person;
    this.#frames = new StreamFrames(parts.dialect, { streamSid: this.streamSid, callSid, accountSid });
    this.#playout = new GatewayPlayout((name) => this.#send(this.#frames.mark(name)));
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    this.#socket = new WebSocket(request.url, { ...SOCKET_OPTIONS, headers: { ...request.headers } });
    this.settled = new Promise((resolve) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('close', () => resolve());
    });
    this.#socket.on('open', () => {
      if (this.#isOver) return;
      this.#send(this.#frames.connected());
      this.#send(this.#frames.start(parameters));
      this.#leaveWheel = parts.wheel.join(() => this.#turn());
    });
    this.#socket.on('message', (data: Buffer, isBinary) => this.#take(isBinary ? null : data.toString()));
    // An error is followed by `close`, which decides.
    this.#socket.on('error', () => {});
    this.#socket.on('close', (closeCode) => this.#onClose(closeCode));
  }

  /** Whether the service has taken the connection. */
  get isOpen(): boolean {
    return this.#leaveWheel !== null;
  }

  /** The person presses a key. */
  press(digit: string): void {
    this.#send(this.#frames.dtmf(digit));
  }

  /** The call is over, or goes on elsewhere. */
  stop(): void {
    this.#end({ by: 'carrier' });
  }

  #turn(): void {
    const played = this.#playout.next();
    const heard = played && new Int16Array(FRAME_LENGTH);
    if (played && heard) decodeUlaw(played, heard);
    const said = this.#person.frame(heard);
    if (!this.#isOver) this.#send(this.#frames.media(said ? encoded(said) : SILENCE));
  }

  #take(text: string | null): void {
    if (this.#isOver) return;
    const frame = text === null ? null : readServiceFrame(text, this.streamSid);
    if (!frame) return this.#end({ by: 'error', code: 31924, text: 'a message that is not of the protocol' });
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

  #onClose(closeCode: number): void {
    this.#end(
      this.isOpen
        ? { by: 'service', closeCode }
        : { by: 'error', code: 31920, text: 'the stream could not be opened' },
    );
  }

  #end(end: StreamEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leaveWheel?.();
    this.#send(this.#frames.stop());
    if (this.isOpen) this.#socket.close(1000);
    else this.#socket.terminate();
    this.#resolveEnd(end);
  }

  /** Lets go of a socket whose other side does not answer the close. */
  terminate(): void {
    this.stop();
    this.#socket.terminate();
  }
}

function encoded(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length);
  encodeUlaw(samples, bytes);
  return bytes;
}
