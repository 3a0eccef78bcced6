import { FRAME_MS } from '#media/samples/audio.js';

/**
 * The hold sound of one caller: fills frames in a loop, and counts the time on hold, so that `TalkSteering` can end it
 * at a limit.
 */
export class HoldLoop {
  readonly #samples: Int16Array;
  readonly #limitMs: number;
  #position = 0;
  #onHoldMs = 0;

  /** @param samples one round of the sound, at the rate of the line; empty for silence */
  constructor(samples: Int16Array, limitMs: number) {
    this.#samples = samples;
    this.#limitMs = limitMs;
  }

  /** True when the caller has been on hold for the longest time allowed. */
  get isOver(): boolean {
    return this.#onHoldMs >= this.#limitMs;
  }

  /** Fills the next frame for the line. False, with the frame untouched, if the sound is silence. */
  fill(frame: Int16Array): boolean {
    const samples = this.#samples;
    if (samples.length === 0) return false;
    for (let index = 0; index < frame.length; index += 1) {
      frame[index] = samples[this.#position]!;
      this.#position = (this.#position + 1) % samples.length;
    }
    return true;
  }

  /** Counts the time of a frame on hold; called every 20 ms. */
  tick(): void {
    this.#onHoldMs += FRAME_MS;
  }
}
