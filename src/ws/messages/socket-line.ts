import type { WebSocket } from 'ws';
import type { Line } from '#conversation/talk/conversation.js';
import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { PlayoutBuffer, StreamProtocol } from '#media/protocols/stream-protocol.js';
import type { OutgoingMessages, FrameType } from './message-batches.js';
import { PlayoutLag } from './playout-lag.js';

/** Frames are dropped while a peer has this much unread (two seconds of wide-band audio). */
const BUFFERED_LIMIT_BYTES = 64 * 1024;
/** The call of a peer ends when this much audio in a row was dropped. */
const STUCK_AFTER_MS = 5_000;
const TEXT: FrameType = { binary: false };

/**
 * The line of a conversation over one audio socket: sends the agent's audio in the peer's protocol. A peer that stops
 * reading loses frames, then its call, and never affects other calls. Used by `AudioSocket`.
 */
export class SocketLine implements Line {
  readonly sampleRateHz: SampleRateHz;
  readonly #socket: WebSocket;
  readonly #protocol: StreamProtocol;
  readonly #frameType: FrameType;
  readonly #outgoing: OutgoingMessages;
  readonly #onStuck: () => void;
  readonly #playout: PlayoutLag;
  #sentFrames = 0;
  #droppedFrames = 0;
  /** Frames dropped since the last sent frame. Not a time: some peers are sent nothing for long periods. */
  #droppedInARow = 0;
  #isStuck = false;

  /** `onStuck` is called once, when five seconds of audio could not be sent. */
  constructor(
    socket: WebSocket,
    protocol: StreamProtocol,
    parts: { clock: Clock; outgoing: OutgoingMessages; onStuck: () => void },
  ) {
    this.sampleRateHz = protocol.sampleRateHz;
    this.#socket = socket;
    this.#protocol = protocol;
    this.#frameType = { binary: protocol.audioFrames === 'binary' };
    this.#outgoing = parts.outgoing;
    this.#onStuck = parts.onStuck;
    this.#playout = new PlayoutLag(parts.clock);
  }

  get sentFrames(): number {
    return this.#sentFrames;
  }

  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  send(samples: Int16Array, inMs: number): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const frames = samples.length / frameSamples(this.sampleRateHz);
    if (!this.keepsUp) return this.#countDropped(frames);
    this.#droppedInARow = 0;
    this.#sentFrames += frames;
    this.#outgoing.add(this.#socket, this.#protocol.encodeAudio(samples), this.#frameType);
    const mark = this.#playout.nextMark(frames, inMs);
    if (mark !== null) this.sendText(this.#protocol.encodeMark(mark));
  }

  /** True if the peer reads fast enough to be sent more: it has little unread. */
  get keepsUp(): boolean {
    return this.#socket.bufferedAmount <= BUFFERED_LIMIT_BYTES;
  }

  get playoutBuffer(): PlayoutBuffer | null {
    return this.#protocol.playoutBuffer;
  }

  get lagMs(): number {
    return this.#playout.lagMs;
  }

  /** Notes that the peer has played everything sent before the mark of this name. */
  reached(mark: string): void {
    this.#playout.reached(mark);
  }

  clear(): boolean {
    const message = this.#protocol.encodeClear();
    if (message === null) return false;
    this.sendText(message);
    this.#playout.cleared();
    return true;
  }

  /** Sends a text message; null sends nothing. Text messages are few and small, so they are never dropped. */
  sendText(message: string | null): void {
    if (message !== null) this.#outgoing.add(this.#socket, message, TEXT);
  }

  #countDropped(frames: number): void {
    this.#droppedFrames += frames;
    this.#droppedInARow += frames;
    if (this.#isStuck || this.#droppedInARow * FRAME_MS < STUCK_AFTER_MS) return;
    this.#isStuck = true;
    this.#onStuck();
  }
}
