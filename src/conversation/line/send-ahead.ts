import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import type { Line } from '#conversation/talk/conversation.js';
import { FrameQueue } from './frame-queue.js';

/**
 * Least sound kept in the playout buffer of a peer that has one. It hides a stall of the process or the network of this
 * length; a barge-in discards it.
 */
const LEAST_BUFFERED_MS = 60;

/**
 * A function that fills the agent's frame of the given tick; it returns false while the agent is silent. With `isDue`
 * false the frame is requested ahead of its tick, so a frame whose sound is incomplete may wait for the rest.
 */
export type FillAgentFrame = (frame: Int16Array, tick: number, isDue: boolean) => boolean;

/**
 * Sends the agent's sound ahead of its ticks, so that the peer never runs dry, and keeps it for the ticks themselves
 * (recording, fade-out). The sound sent is one frame ahead or, for a peer with a playout buffer, one piece and up to
 * 60 ms more. Used by `Channel`.
 */
export class SendAhead {
  readonly #line: Line;
  readonly #fillFrame: FillAgentFrame;
  /** More is sent when no more frames than this are ahead. */
  readonly #leastFrames: number;
  /** Frames that were sent, but whose ticks are still to come. */
  readonly #sent: FrameQueue;
  /** The sound of one message, and views of its frames. */
  readonly #piece: Int16Array;
  readonly #frames: readonly Int16Array[];

  constructor(line: Line, fillFrame: FillAgentFrame) {
    const samples = frameSamples(line.sampleRateHz);
    const count = (line.playoutBuffer?.pieceMs ?? FRAME_MS) / FRAME_MS;
    this.#line = line;
    this.#fillFrame = fillFrame;
    this.#leastFrames = line.playoutBuffer ? LEAST_BUFFERED_MS / FRAME_MS : 0;
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
    if (frames <= this.#leastFrames) this.#send(tick + frames, (frames + 1) * FRAME_MS);
  }

  /** Removes and yields the sound sent ahead that no tick has taken. Each frame is valid until the next one. */
  *takeRest(): Iterable<Int16Array> {
    while (this.#sent.take(this.#frames[0]!)) yield this.#frames[0]!;
  }

  /** Drops the sound sent ahead: the peer has cleared it. */
  drop(): void {
    this.#sent.clear();
  }

  /**
   * Sends the frames from a tick on, as many as one message holds and the agent has. Only the first frame can be due.
   * @param inMs time until the first frame is played
   */
  #send(fromTick: number, inMs: number): void {
    const frames = this.#frames;
    let count = 0;
    while (count < frames.length && this.#fillFrame(frames[count]!, fromTick + count, inMs + count === 0))
      count += 1;
    if (count === 0) return;
    const sound = count === frames.length ? this.#piece : this.#piece.subarray(0, count * frames[0]!.length);
    this.#sent.push(sound);
    this.#line.send(sound, inMs);
  }
}
