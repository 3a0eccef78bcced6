import type { SampleRateHz } from '#media/samples/audio.js';

/** What is louder than this (−30 dBFS) may be speech. */
const LOUD_PEAK = 1_000;
/** So much of it without a word from the recogniser, for so long, is not heard. */
const UNHEARD_MS = 1_000;
const SILENT_FOR_MS = 3_000;

/** Finds out that a recogniser has gone deaf: it is given speech, and tells nothing. */
export class Deafness {
  readonly #samplesPerMs: number;
  #loudMs = 0;
  #loudSinceMs: number | null = null;
  /** It was reported, and nothing was told since: a room full of noise must not open connection after connection. */
  #isReported = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#samplesPerMs = sampleRateHz / 1_000;
  }

  /** The recogniser has told something. */
  told(): void {
    this.#loudMs = 0;
    this.#loudSinceMs = null;
    this.#isReported = false;
  }

  /** Takes what is pushed; true when the recogniser seems to be deaf, once until it tells something. */
  push(samples: Int16Array, nowMs: number): boolean {
    if (this.#isReported) return false;
    if (isLoud(samples)) {
      this.#loudSinceMs ??= nowMs;
      this.#loudMs += samples.length / this.#samplesPerMs;
    }
    if (this.#loudSinceMs === null || this.#loudMs < UNHEARD_MS) return false;
    this.#isReported = nowMs - this.#loudSinceMs >= SILENT_FOR_MS;
    return this.#isReported;
  }
}

function isLoud(samples: Int16Array): boolean {
  for (let at = 0; at < samples.length; at += 1) {
    if (samples[at]! > LOUD_PEAK || samples[at]! < -LOUD_PEAK) return true;
  }
  return false;
}
