import type { SampleRateHz } from '#media/samples/audio.js';

/** Audio with a higher peak (−30 dBFS) may be speech. */
const LOUD_PEAK = 1_000;
/**
 * The least loud audio without a result after which a recogniser counts as stalled. {@link TIME_WITHOUT_RESULT_MS} must
 * have passed, too.
 */
const LOUD_WITHOUT_RESULT_MS = 1_000;
/** The least time since that loud audio began. */
const TIME_WITHOUT_RESULT_MS = 3_000;

/**
 * Detects a recogniser that receives speech but returns no results. `StreamingSession` then reconnects and sends the
 * audio again.
 */
export class StallDetector {
  readonly #samplesPerMs: number;
  /** Loud audio since the last result. */
  #loudMs = 0;
  /** When that audio began, in monotonic milliseconds; null if there is none. */
  #loudSinceMs: number | null = null;
  /**
   * True if a stall was reported and no result has come since. It is reported once, because a noisy line without speech
   * would otherwise cause one reconnect after another.
   */
  #isReported = false;

  constructor(sampleRateHz: SampleRateHz) {
    this.#samplesPerMs = sampleRateHz / 1_000;
  }

  /** Records a result of the recogniser. */
  onResult(): void {
    this.#loudMs = 0;
    this.#loudSinceMs = null;
    this.#isReported = false;
  }

  /**
   * Takes audio of the caller. Returns true when the recogniser seems to have stalled, once until the next result.
   * @param nowMs monotonic time
   */
  push(samples: Int16Array, nowMs: number): boolean {
    if (this.#isReported) return false;
    if (isLoud(samples)) {
      this.#loudSinceMs ??= nowMs;
      this.#loudMs += samples.length / this.#samplesPerMs;
    }
    if (this.#loudSinceMs === null || this.#loudMs < LOUD_WITHOUT_RESULT_MS) return false;
    this.#isReported = nowMs - this.#loudSinceMs >= TIME_WITHOUT_RESULT_MS;
    return this.#isReported;
  }
}

function isLoud(samples: Int16Array): boolean {
  for (let at = 0; at < samples.length; at += 1) {
    if (samples[at]! > LOUD_PEAK || samples[at]! < -LOUD_PEAK) return true;
  }
  return false;
}
