import { FRAME_MS } from '#media/samples/audio.js';

/** What a caller on hold hears, again and again, and for how long at most. */
export class HoldLoop {
  readonly #samples: Int16Array;
  readonly #limitMs: number;
  #at = 0;
  #heldMs = 0;

  /** @param samples one round of the sound, at the rate of the line; empty for silence */
  constructor(samples: Int16Array, limitMs: number) {
    this.#samples = samples;
    this.#limitMs = limitMs;
  }

  /** Whether the caller has waited for as long as anybody may. */
  get isOver(): boolean {
    return this.#heldMs >= this.#limitMs;
  }

  /** The next frame for the line; false for silence. */
  fill(frame: Int16Array): boolean {
    const samples = this.#samples;
    if (samples.length === 0) return false;
    for (let index = 0; index < frame.length; index += 1) {
      frame[index] = samples[this.#at]!;
      this.#at = (this.#at + 1) % samples.length;
    }
    return true;
  }

  /** 20 ms later. */
  tick(): void {
    this.#heldMs += FRAME_MS;
  }
}
