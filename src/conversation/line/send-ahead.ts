import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import type { Line } from '#conversation/talk/conversation.js';
import { FrameQueue } from './frame-queue.js';

/**
 * With less than this on the way to a peer that keeps it, more is sent. So long a process that stands still, or a
 * network that does, is not heard; what was sent in vain, because somebody speaks over it, is thrown away.
 */
const LEAST_MS = 60;

/**
 * The agent's next frame, of the tick with this number; false when there is none. Not `isDue`: asked ahead of its
 * time, which what is only half there is worth waiting for.
 */
export type Speak = (frame: Int16Array, tick: number, isDue: boolean) => boolean;

/**
 * What was sent of the agent's sound before its time, so that the peer never runs dry: one frame, or a piece and
 * up to 60 ms more where the peer keeps what it is sent.
 */
export class SendAhead {
  readonly #line: Line;
  readonly #speak: Speak;
  readonly #least: number;
  readonly #sent: FrameQueue;
  /** What is sent together, and its frames. */
  readonly #piece: Int16Array;
  readonly #frames: readonly Int16Array[];

  constructor(line: Line, speak: Speak) {
    const samples = frameSamples(line.sampleRateHz);
    const count = (line.playoutBuffer?.pieceMs ?? FRAME_MS) / FRAME_MS;
    this.#line = line;
    this.#speak = speak;
    this.#least = line.playoutBuffer ? LEAST_MS / FRAME_MS : 0;
    this.#sent = new FrameQueue(samples, FRAME_MS);
    this.#piece = new Int16Array(count * samples);
    this.#frames = Array.from({ length: count }, (_, at) =>
      this.#piece.subarray(at * samples, (at + 1) * samples),
    );
  }

  /** Fills the frame of the present tick, which is sent now unless it was; false when the agent is silent in it. */
  take(frame: Int16Array, tick: number): boolean {
    if (this.#sent.frames === 0) this.#send(tick, 0);
    return this.#sent.take(frame);
  }

  /** Sends more, unless enough is on the way; `tick` is the next one. */
  extend(tick: number): void {
    const { frames } = this.#sent;
    if (frames <= this.#least) this.#send(tick + frames, (frames + 1) * FRAME_MS);
  }

  /** What was sent ahead, frame by frame, when no tick follows. */
  *rest(): Iterable<Int16Array> {
    while (this.#sent.take(this.#frames[0]!)) yield this.#frames[0]!;
  }

  /** What was sent ahead is not played any more. */
  drop(): void {
    this.#sent.clear();
  }

  #send(fromTick: number, inMs: number): void {
    const frames = this.#frames;
    let count = 0;
    while (count < frames.length && this.#speak(frames[count]!, fromTick + count, inMs + count === 0))
      count += 1;
    if (count === 0) return;
    const sound = count === frames.length ? this.#piece : this.#piece.subarray(0, count * frames[0]!.length);
    this.#sent.push(sound);
    this.#line.send(sound, inMs);
  }
}
