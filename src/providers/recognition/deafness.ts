import type { SampleRateHz } from '#media/samples/audio.js';

/** Audio above this peak (−30 dBFS) may be speech. */
const LOUD_PEAK = 1_000;
/** The recogniser counts as deaf after this much loud audio, and this much time, without any result. */
const UNHEARD_MS = 1_000;
const SILENT_FOR_MS = 3_000;

/** Detects a recogniser that receives speech but returns no results. */
export class Deafness {
  readonly #samplesPerMs: number;
  #loudMs = 0;
  #loudSinceMs: number | null = null;
  /** Deafness was reported and no result has come since. A noisy line must not cause one reconnect after another. */
  #isReported = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#samplesPerMs = sampleRateHz / 1_000;
  }

  /** Records a result of the recogniser. */
  told(): void {
    this.#loudMs = 0;
    this.#loudSinceMs = null;
    this.#isReported = false;
  }

  /** Takes audio sent to the recogniser. Returns true when it seems to be deaf, once until the next result. */
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
