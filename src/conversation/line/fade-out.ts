import { type SampleRateHz, fadeGain, fadeSamples } from '#media/samples/audio.js';

/**
 * Fades out the agent's sound when it is cut at a frame edge, so that the caller hears no click. The frames already
 * sent can be neither changed nor discarded, so the silence after them begins with 5 ms in which the last sample falls
 * to zero. Used by `Channel`.
 */
export class FadeOut {
  readonly #fadeSamples: number;
  /** The last sample played to the caller. */
  #lastSample = 0;
  /** True after a cut, until the next silent frame. */
  #isDue = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#fadeSamples = fadeSamples(sampleRateHz);
  }

  /** Notes a frame that is played to the caller. */
  played(frame: Int16Array): void {
    this.#lastSample = frame[frame.length - 1]!;
  }

  /** The sound was cut: silence follows the frames sent so far. */
  cut(): void {
    this.#isDue = true;
  }

  /** Fills the first silent frame after a cut of audible sound. False, with `frame` untouched, for all other frames. */
  fill(frame: Int16Array): boolean {
    const lastSample = this.#lastSample;
    const isCut = this.#isDue && lastSample !== 0;
    this.#isDue = false;
    this.#lastSample = 0;
    if (!isCut) return false;
    const length = this.#fadeSamples;
    for (let at = 0; at < length; at += 1) frame[at] = Math.round(lastSample * fadeGain(length - at, length));
    frame.fill(0, length);
    return true;
  }
}
