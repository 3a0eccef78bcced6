import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import type { Line } from '#conversation/talk/conversation.js';
import { FrameQueue } from './frame-queue.js';

/**
 * Least sound in the playout buffer of a peer that has one. It hides a stall of the process or the network of this
 * length; a barge-in discards it.
 */
const LEAST_MS = 60;

/**
 * Fills the agent's frame of the given tick; returns false if there is none. With `isDue` false the frame is requested
 * early, so incomplete sound may wait for its rest.
 */
export type Speak = (frame: Int16Array, tick: number, isDue: boolean) => boolean;

/**
 * The agent's sound that was sent before its tick, so that the peer never runs dry: one frame, or, for a peer with a
 * playout buffer, one piece and up to 60 ms more.
 */
export class SendAhead {
  readonly #line: Line;
  readonly #speak: Speak;
  readonly #least: number;
  readonly #sent: FrameQueue;
  /** The piece that is sent at once, and its frames. */
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

  /** Fills the frame of the present tick, sending it now unless it was sent ahead; false while the agent is silent. */
  take(frame: Int16Array, tick: number): boolean {
    if (this.#sent.frames === 0) this.#send(tick, 0);
    return this.#sent.take(frame);
  }

  /** Sends more unless enough is buffered; `tick` is the next tick. */
  extend(tick: number): void {
    const { frames } = this.#sent;
    if (frames <= this.#least) this.#send(tick + frames, (frames + 1) * FRAME_MS);
  }

  /** The sound sent ahead, frame by frame, after the last tick. */
  *rest(): Iterable<Int16Array> {
    while (this.#sent.take(this.#frames[0]!)) yield this.#frames[0]!;
  }

  /** The sound sent ahead will not be played. */
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
