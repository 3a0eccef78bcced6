import { COLUMN_HZ, keyAt, ROW_HZ } from './key-tones.js';
import type { SampleRateHz } from '#media/samples/audio.js';

/** Softer than this (RMS, −50 dBFS) nobody presses anything. */
const SOFTEST_RMS = 100;
/** The two tones of a key are nearly all that there is; voices have overtones. */
const LEAST_SHARE = 0.75;
/** How far one of the two may stand above the other: 8 dB, the most that ITU-T Q.24 names. */
const LARGEST_TWIST = 10 ** (8 / 10);
/** A press lasts: at least so many frames in a row (40 ms, ITU-T Q.24). */
const PRESSED_FRAMES = 2;

/** Finds key tones (ITU-T Q.23) in frames of 20 ms. */
export interface KeyDetector {
  /** The key that sounds in this frame; null when none does. */
  keyIn(frame: Int16Array): string | null;
}

/** Goertzel's filters at the eight frequencies; they allocate nothing per frame. */
export function createKeyDetector(sampleRateHz: SampleRateHz): KeyDetector {
  const coefficients = (hertz: readonly number[]) =>
    hertz.map((one) => 2 * Math.cos((2 * Math.PI * one) / sampleRateHz));
  const rows = coefficients(ROW_HZ);
  const columns = coefficients(COLUMN_HZ);
  const loudest = { at: 0, power: 0 };
  return {
    keyIn(frame) {
      let energy = 0;
      for (let at = 0; at < frame.length; at += 1) energy += frame[at]! * frame[at]!;
      if (energy < SOFTEST_RMS * SOFTEST_RMS * frame.length) return null;
      const { at: row, power: low } = findLoudest(frame, rows, loudest);
      const { at: column, power: high } = findLoudest(frame, columns, loudest);
      if (low > LARGEST_TWIST * high || high > LARGEST_TWIST * low) return null;
      // A sine of the whole frame has the power `energy * length / 2`.
      return low + high >= (LEAST_SHARE * energy * frame.length) / 2 ? keyAt(row, column) : null;
    },
  };
}

/** Hears the presses of the other side: each once, however long it lasts. */
export class KeyListener {
  readonly #detector: KeyDetector;
  #sounding: string | null = null;
  #frames = 0;

  constructor(sampleRateHz: SampleRateHz) {
    this.#detector = createKeyDetector(sampleRateHz);
  }

  /** Whether a key sounded in the newest frame. */
  get isSounding(): boolean {
    return this.#sounding !== null;
  }

  /** Takes the next frame (null is silence); the key that turns out to be pressed with it. */
  hear(frame: Int16Array | null): string | null {
    const key = frame && this.#detector.keyIn(frame);
    this.#frames = key !== null && key === this.#sounding ? this.#frames + 1 : 1;
    this.#sounding = key;
    return this.#frames === PRESSED_FRAMES ? key : null;
  }
}

/** The loudest of the tones, and its power in a frame; written into `found`, and only valid until the next search. */
function findLoudest(
  frame: Int16Array,
  coefficients: readonly number[],
  found: { at: number; power: number },
): { at: number; power: number } {
  found.power = -1;
  for (let tone = 0; tone < coefficients.length; tone += 1) {
    const coefficient = coefficients[tone]!;
    let last = 0;
    let beforeLast = 0;
    for (let at = 0; at < frame.length; at += 1) {
      const next = frame[at]! + coefficient * last - beforeLast;
      beforeLast = last;
      last = next;
    }
    const power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
    if (power > found.power) [found.at, found.power] = [tone, power];
  }
  return found;
}
