import WebSocket from 'ws';
import { z } from 'zod';
import type { Resampler, Resampling } from '../../../../src/media/resampler.js';
import type { Wheel } from '../../../../src/media/wheel.js';
import type { Person } from '../person.js';
import { FRAME_BYTES, SocketPlayout } from './playout.js';

/** How a socket ended: by the service, by us, or because it never opened. */
export type SocketEnd = 'service' | 'carrier' | 'not_opened';

export interface SocketRequest {
  url: string;
  contentType: string;
  headers: Readonly<Record<string, string>>;
}

export interface SocketParts {
  wheel: Wheel;
  resampling: Resampling;
  person: Person;
  complain: (text: string) => void;
}

const FRAME_SAMPLES = FRAME_BYTES / 2;
const SILENCE = Buffer.alloc(FRAME_BYTES);
const SOCKET_OPTIONS = { perMessageDeflate: false, closeTimeout: 2_000 };

const command = z.discriminatedUnion('action', [
  z.object({ action: z.literal('clear') }),
  z.object({ action: z.literal('notify'), payload: z.record(z.string(), z.unknown()) }),
]);

/**
 * A WebSocket endpoint: the person of a call on one side, a socket of the service on the other. Text frames are JSON,
 * binary ones 20 ms of sound each. Source: Vonage's "WebSockets" guide.
 */
export class MediaSocket {
  readonly ended: Promise<SocketEnd>;
  /** Resolves when the connection is open, or never will be. */
  readonly settled: Promise<void>;
  /** The actions of the service's text frames, in order. */
  readonly commands: string[] = [];
  /** How much sound has come from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly #socket: WebSocket;
  readonly #parts: SocketParts;
  readonly #playout: SocketPlayout;
  readonly #toPerson: Resampler;
  readonly #toService: Resampler;
  #resolveEnd: (end: SocketEnd) => void = () => {};
  #leaveWheel: (() => void) | null = null;
  #isOver = false;

  constructor(request: SocketRequest, parts: SocketParts) {
    this.#parts = parts;
    this.#toPerson = parts.resampling.open({ fromHz: 16_000, toHz: 8_000 });
    this.#toService = parts.resampling.open({ fromHz: 8_000, toHz: 16_000 });
    this.#playout = new SocketPlayout((payload) => this.#tell({ event: 'websocket:notify', payload }));
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    this.#socket = new WebSocket(request.url, SOCKET_OPTIONS);
    this.settled = new Promise((resolve) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('close', () => resolve());
    });
    this.#socket.on('open', () => {
      if (this.#isOver) return;
      const { contentType, headers } = request;
      this.#tell({ event: 'websocket:connected', 'content-type': contentType, ...headers });
      this.#leaveWheel = parts.wheel.join(() => this.#turn());
    });
    this.#socket.on('message', (data: Buffer, isBinary) => {
      if (!this.#isOver) this.#take(data, isBinary);
    });
    // An error is followed by `close`, which decides.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#end(this.isOpen ? 'service' : 'not_opened'));
  }

  /** Whether the service has taken the connection. */
  get isOpen(): boolean {
    return this.#leaveWheel !== null;
  }

  /** The person presses a key. */
  press(digit: string): void {
    this.#tell({ event: 'websocket:dtmf', digit, duration: 260 });
  }

  /** The call is over, or goes on elsewhere. */
  stop(): void {
    this.#end('carrier');
  }

  /** Lets go of a socket whose other side does not answer the close. */
  terminate(): void {
    this.stop();
    this.#socket.terminate();
  }

  #turn(): void {
    const played = this.#playout.next();
    const said = this.#parts.person.frame(played && this.#toPerson.process(samplesOf(played)));
    if (this.#isOver || this.#socket.readyState !== WebSocket.OPEN) return;
    const sound = said ? this.#toService.process(said) : null;
    this.#socket.send(sound?.length === FRAME_SAMPLES ? bytesOf(sound) : SILENCE);
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#takeSound(data);
    let said: z.output<typeof command>;
    try {
      said = command.parse(JSON.parse(data.toString()));
    } catch {
      return this.#parts.complain('a text frame that is no action');
    }
    this.commands.push(said.action);
    if (said.action === 'notify') return this.#playout.notification(said.payload);
    this.#playout.clear();
    return this.#tell({ event: 'websocket:cleared' });
  }

  #takeSound(frame: Buffer): void {
    if (frame.length !== FRAME_BYTES) this.#parts.complain(`a frame of ${frame.length} bytes is garbled`);
    else if (this.#playout.add(frame)) this.receivedMs += 20;
    else this.#parts.complain('more sound than is kept');
  }

  #tell(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #end(end: SocketEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leaveWheel?.();
    this.#toPerson.free();
    this.#toService.free();
    if (this.isOpen) this.#socket.close(1000);
    else this.#socket.terminate();
    this.#resolveEnd(end);
  }
}

/** Little-endian, as it is sent. */
function samplesOf(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));
}

function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * 2));
  return bytes;
}
