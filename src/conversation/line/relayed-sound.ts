import { FRAME_MS } from '#media/samples/audio.js';
import { FrameQueue } from './frame-queue.js';

/** Sound that waits before the first of it is played, so that a network's hiccup makes no hole. */
const HELD_FRAMES = 60 / FRAME_MS;
/** More waiting sound than this is delay that everybody hears: the oldest goes. */
const MOST_FRAMES = 400 / FRAME_MS;

/** A person who is heard on the line in the agent's place, frame by frame. */
export interface PersonOnLine {
  /** Sound of the person, at the rate of the line, in pieces of any length; copied before this returns. */
  hear(samples: Int16Array): void;
  /** The next frame for the line; false while there is none. */
  fill(frame: Int16Array): boolean;
  /** 20 ms later. */
  tick(): void;
  /** Resolves when their last words are understood. */
  end(): Promise<void>;
}

/** Sound from elsewhere that is passed on to the line, and evens out how it comes. */
export class RelayedSound implements PersonOnLine {
  readonly #queue: FrameQueue;
  readonly #dropped: Int16Array;
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
    this.#isFlowing = this.#isFlowing ? this.#queue.hasFrame : this.#queue.frames >= HELD_FRAMES;
    return this.#isFlowing && this.#queue.take(frame);
  }

  tick(): void {}

  async end(): Promise<void> {}
}
