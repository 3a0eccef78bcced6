import { type SampleRateHz, fadeGain, fadeSamples } from '#media/samples/audio.js';

/**
 * Fades out sound that was cut at a frame edge. The frames already sent can be neither changed nor discarded, so the
 * silence after them begins with 5 ms in which the last sample falls to zero.
 */
export class BreakOff {
  readonly #fadeSamples: number;
  #last = 0;
  #isDue = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#fadeSamples = fadeSamples(sampleRateHz);
  }

  /** Takes a frame that the caller hears. */
  follow(frame: Int16Array): void {
    this.#last = frame[frame.length - 1]!;
  }

  /** No sound follows the frames sent so far. */
  cut(): void {
    this.#isDue = true;
  }

  /** Fills the first silent frame after a cut; returns false, with `frame` untouched, for any other silent frame. */
  fill(frame: Int16Array): boolean {
    const last = this.#last;
    const isCut = this.#isDue && last !== 0;
    this.#isDue = false;
    this.#last = 0;
    if (!isCut) return false;
    const length = this.#fadeSamples;
    for (let at = 0; at < length; at += 1) frame[at] = Math.round(last * fadeGain(length - at, length));
    frame.fill(0, length);
    return true;
  }
}
