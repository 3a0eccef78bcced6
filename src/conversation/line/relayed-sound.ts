import { FRAME_MS } from '#media/samples/audio.js';
import { FrameQueue } from './frame-queue.js';

/** Frames buffered (60 ms) before playing starts, so that network jitter leaves no gap. */
const BUFFERED_FRAMES = 60 / FRAME_MS;
/** The longest queue (400 ms). A longer queue would be an audible delay, so the oldest frames are dropped. */
const MOST_FRAMES = 400 / FRAME_MS;

/** A person whom the caller hears in the agent's place: an operator, or the person on a joined line. */
export interface PersonOnLine {
  /** Takes sound of the person, at the rate of the line, in pieces of any length; copied before this returns. */
  hear(samples: Int16Array): void;
  /** Fills the next frame for the line; false while there is none. */
  fill(frame: Int16Array): boolean;
  /** Called every 20 ms. */
  tick(): void;
  /** The person has left. Resolves when the last words are transcribed, if they are transcribed on this line. */
  end(): Promise<void>;
}

/**
 * Passes sound from another line or a microphone on to this line, through a jitter buffer. Used by `TalkSteering` for a
 * joined person, whose words are transcribed on the other line, and by `Operator` and `Whisper`.
 */
export class RelayedSound implements PersonOnLine {
  readonly #queue: FrameQueue;
  /** Receives the frames that are dropped. */
  readonly #dropped: Int16Array;
  /** True while frames are played: from enough buffered frames on, until the buffer has run empty. */
  #isFlowing = false;

  constructor(frameSamples: number) {
    this.#queue = new FrameQueue(frameSamples, FRAME_MS);
    this.#dropped = new Int16Array(frameSamples);
  }

  hear(samples: Int16Array): void {
    this.#queue.push(samples);
    while (this.#queue.frames > MOST_FRAMES) this.#queue.take(this.#dropped);
  }

  fill(frame: Int16Array): boolean {
    this.#isFlowing = this.#isFlowing ? this.#queue.hasFrame : this.#queue.frames >= BUFFERED_FRAMES;
    return this.#isFlowing && this.#queue.take(frame);
  }

  tick(): void {}

  async end(): Promise<void> {}
}
