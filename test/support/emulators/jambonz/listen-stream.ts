import WebSocket from 'ws';
import { z } from 'zod';
import type { Resampler, Resampling } from '../../../../src/media/resampler.js';
import type { Wheel } from '../../../../src/media/wheel.js';
import type { Person } from '../person.js';
import { ListenPlayout } from './playout.js';

/** What the media server offers; a service that does not agree to it has no stream. Source: mod_audio_fork. */
const SUB_PROTOCOL = 'audio.drachtio.org';
const SOCKET_OPTIONS = { perMessageDeflate: false, closeTimeout: 2_000 };
const RATE_HZ = 16_000;
const PERSON_RATE_HZ = 8_000;
const SILENCE = Buffer.alloc((RATE_HZ / 50) * 2);

const serviceMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mark'), data: z.object({ name: z.string().min(1) }) }),
  z.object({ type: z.literal('killAudio') }),
  z.object({ type: z.literal('clearMarks') }),
  z.object({ type: z.literal('disconnect') }),
]);
export type ServiceMessage = z.infer<typeof serviceMessage>;

/** How a stream ended. */
export type ListenEnd =
  { by: 'service'; closeCode: number } | { by: 'carrier' } | { by: 'error'; text: string };

/** One `listen` with streaming sound both ways: the person of a call on one side, a WebSocket on the other. */
export class ListenStream {
  readonly ended: Promise<ListenEnd>;
  /** Resolves when the connection is open, or never will be. */
  readonly settled: Promise<void>;
  /** What the service has sent besides sound, in order. */
  readonly serviceMessages: ServiceMessage[] = [];
  /** How much sound has come from the service, in milliseconds, played or not. */
  receivedMs = 0;
  readonly #socket: WebSocket;
  readonly #person: Person;
  readonly #playout = new ListenPlayout((name, event) => this.#send({ type: 'mark', data: { name, event } }));
  readonly #toService: Resampler;
  readonly #toPerson: Resampler;
  #resolveEnd: (end: ListenEnd) => void = () => {};
  #leaveWheel: (() => void) | null = null;
  #isOver = false;

  constructor(
    request: { url: string; metadata: Readonly<Record<string, unknown>> },
    parts: { wheel: Wheel; person: Person; resampling: Resampling },
  ) {
    this.#person = parts.person;
    this.#toService = parts.resampling.open({ fromHz: PERSON_RATE_HZ, toHz: RATE_HZ });
    this.#toPerson = parts.resampling.open({ fromHz: RATE_HZ, toHz: PERSON_RATE_HZ });
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    this.#socket = new WebSocket(request.url, SUB_PROTOCOL, SOCKET_OPTIONS);
    this.settled = new Promise((resolve) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('close', () => resolve());
    });
    this.#socket.on('open', () => {
      if (this.#isOver) return;
      this.#send({ sampleRate: RATE_HZ, mixType: 'mono', ...request.metadata });
      this.#leaveWheel = parts.wheel.join(() => this.#turn());
    });
    this.#socket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary));
    // An error is followed by `close`, which decides.
    this.#socket.on('error', () => {});
    this.#socket.on('close', (closeCode) => this.#onClose(closeCode));
  }

  /** Whether the service has taken the connection. */
  get isOpen(): boolean {
    return this.#leaveWheel !== null;
  }

  /** The person presses a key; durations are in units of 125 µs. */
  press(digit: string): void {
    this.#send({ event: 'dtmf', dtmf: digit, duration: '1600' });
  }

  /** The call is over, or goes on elsewhere: the socket closes, without a word. */
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
    const said = this.#person.frame(played && this.#toPerson.process(played));
    if (this.#isOver || this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(said ? bytesOf(this.#toService.process(said)) : SILENCE);
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    if (isBinary) {
      this.receivedMs += (data.length / 2 / RATE_HZ) * 1_000;
      return this.#playout.add(samplesOf(data));
    }
    const message = serviceMessage.safeParse(parsed(data.toString())).data;
    if (!message) return this.#end({ by: 'error', text: 'a message that is not of the protocol' });
    this.serviceMessages.push(message);
    if (message.type === 'mark') this.#playout.mark(message.data.name);
    else if (message.type === 'killAudio') this.#playout.clear();
    else if (message.type === 'disconnect') this.#end({ by: 'service', closeCode: 1000 });
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #onClose(closeCode: number): void {
    const text = 'the stream could not be opened';
    this.#end(this.isOpen ? { by: 'service', closeCode } : { by: 'error', text });
  }

  #end(end: ListenEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leaveWheel?.();
    if (this.isOpen) this.#socket.close(1000);
    else this.#socket.terminate();
    this.#toService.free();
    this.#toPerson.free();
    this.#resolveEnd(end);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * 2));
  return bytes;
}

function samplesOf(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(index * 2));
}
