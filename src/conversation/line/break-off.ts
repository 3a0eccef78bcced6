import { type SampleRateHz, fadeGain, fadeSamples } from '#media/samples/audio.js';

/**
 * The end of a sound that breaks off at the edge of a frame, and can be neither changed nor thrown away any more: the
 * silence behind it begins with 5 ms in which its last sample falls to nothing.
 */
export class BreakOff {
  readonly #fadeSamples: number;
  #last = 0;
  #isDue = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#fadeSamples = fadeSamples(sampleRateHz);
  }

  /** This is heard. */
  follow(frame: Int16Array): void {
    this.#last = frame[frame.length - 1]!;
  }

  /** Nothing follows what was sent so far. */
  cut(): void {
    this.#isDue = true;
  }

  /** Fills the first silent frame behind a sound that was cut; false, and it is untouched, behind any other. */
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
