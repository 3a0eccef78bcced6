import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import type { Clock } from '../../../../src/kernel/clock.js';
import { decodeUlaw, encodeUlaw, ULAW_SILENCE } from '../../../../src/media/g711.js';
import type { Wheel } from '../../../../src/media/wheel.js';
import type { Person } from '../person.js';
import { GatewayPlayout } from '../twilio/playout.js';
import { PlivoFrames, readServiceFrame, type PlivoServiceFrame } from './stream-frames.js';

/** How a stream ended. */
export type PlivoStreamEnd = { by: 'service' | 'carrier' } | { by: 'error'; text: string };

const FRAME_LENGTH = 160;
const SOCKET_OPTIONS = { perMessageDeflate: false, closeTimeout: 2_000 };
const SILENCE = Buffer.alloc(FRAME_LENGTH, ULAW_SILENCE);

/** One stream of Plivo's: the person of a call on one side, a WebSocket of the service on the other. */
export class PlivoGateway {
  readonly streamId = randomUUID();
  readonly ended: Promise<PlivoStreamEnd>;
  /** Resolves when the connection is open, or never will be. */
  readonly settled: Promise<void>;
  /** What the service has sent besides sound, in order. */
  readonly serviceFrames: PlivoServiceFrame[] = [];
  readonly #socket: WebSocket;
  readonly #frames: PlivoFrames;
  readonly #playout: GatewayPlayout;
  readonly #person: Person;
  #resolveEnd: (end: PlivoStreamEnd) => void = () => {};
  #leaveWheel: (() => void) | null = null;
  #isClearing = false;
  #isOver = false;

  constructor(
    request: { url: string; parameters: Readonly<Record<string, string>>; callId: string; accountId: string },
    parts: { clock: Clock; wheel: Wheel; person: Person },
  ) {
    const { url, ...call } = request;
    this.#person = parts.person;
    this.#frames = new PlivoFrames({ streamId: this.streamId, ...call }, parts.clock);
    // Checkpoints that a clearing overtakes are never told.
    this.#playout = new GatewayPlayout((name) => {
      if (!this.#isClearing) this.#send(this.#frames.playedStream(name));
    });
    this.ended = new Promise((resolve) => (this.#resolveEnd = resolve));
    this.#socket = new WebSocket(url, SOCKET_OPTIONS);
    this.settled = new Promise((resolve) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('close', () => resolve());
    });
    this.#socket.on('open', () => {
      if (this.#isOver) return;
      this.#send(this.#frames.start());
      this.#leaveWheel = parts.wheel.join(() => this.#turn());
    });
    this.#socket.on('message', (data: Buffer, isBinary) => this.#take(isBinary ? null : data.toString()));
    // An error is followed by `close`, which decides.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () =>
      this.#end(this.isOpen ? { by: 'service' } : { by: 'error', text: 'the stream could not be opened' }),
    );
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
    if (!this.#isOver) this.#send(this.#frames.media(said ? encoded(said) : SILENCE));
  }

  #take(text: string | null): void {
    if (this.#isOver) return;
    const frame = text === null ? null : readServiceFrame(text, this.streamId);
    if (!frame) return this.#end({ by: 'error', text: 'a message that is not of the protocol' });
    if (frame.event === 'playAudio') return this.#playout.add(Buffer.from(frame.media.payload, 'base64'));
    this.serviceFrames.push(frame);
    if (frame.event === 'checkpoint') this.#playout.mark(frame.name);
    else this.#clear();
  }

  #clear(): void {
    this.#isClearing = true;
    this.#playout.clear();
    this.#isClearing = false;
    this.#send(this.#frames.clearedAudio());
  }

  #send(frame: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #end(end: PlivoStreamEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leaveWheel?.();
    this.#send(this.#frames.stop());
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
