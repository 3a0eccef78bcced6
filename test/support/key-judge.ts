import type { SampleRateHz } from '#media/samples/audio.js';

/** ITU-T Q.23, written independently of the code under test. */
const PAIRS: Readonly<Record<string, readonly [lowHz: number, highHz: number]>> = {
  1: [697, 1209],
  2: [697, 1336],
  3: [697, 1477],
  A: [697, 1633],
  4: [770, 1209],
  5: [770, 1336],
  6: [770, 1477],
  B: [770, 1633],
  7: [852, 1209],
  8: [852, 1336],
  9: [852, 1477],
  C: [852, 1633],
  '*': [941, 1209],
  0: [941, 1336],
  '#': [941, 1477],
  D: [941, 1633],
};
export const ALL_KEYS = Object.keys(PAIRS);

/** The window of the detector, and its step: half a window, so that nothing falls between two. */
const WINDOW_MS = 20;
const STEP_MS = 10;
/** The share of energy in two tones that no voice reaches. */
const LEAST_SHARE = 0.8;
const SOFTEST_RMS = 300;

/** A detected DTMF key. */
export interface HeardKey {
  key: string;
  startMs: number;
  lengthMs: number;
  /** The level of the higher tone above the lower one, in the middle of the key press. */
  twistDb: number;
}

/** Every DTMF key in a sound, in order, found by Fourier sums over short windows. */
export function keysIn(sound: Int16Array, sampleRateHz: SampleRateHz = 8000): HeardKey[] {
  const window = (WINDOW_MS * sampleRateHz) / 1000;
  const step = (STEP_MS * sampleRateHz) / 1000;
  const found: { key: string; from: number; windows: number[] }[] = [];
  for (let from = 0; from + window <= sound.length; from += step) {
    const key = keyIn(sound.subarray(from, from + window), sampleRateHz);
    const last = found.at(-1);
    if (key === null) continue;
    if (last?.key === key && last.windows.at(-1) === from - step) last.windows.push(from);
    else found.push({ key, from, windows: [from] });
  }
  return found.map(({ key, from, windows }) => {
    const middle = windows[Math.floor(windows.length / 2)]!;
    const [low, high] = PAIRS[key]!;
    const at = sound.subarray(middle, middle + window);
    return {
      key,
      startMs: (from * 1000) / sampleRateHz,
      lengthMs: (windows.length - 1) * STEP_MS + WINDOW_MS,
      twistDb: 10 * Math.log10(powerAt(at, high, sampleRateHz) / powerAt(at, low, sampleRateHz)),
    };
  });
}

/** {@link keysIn} as a string. */
export function writtenKeys(sound: Int16Array, sampleRateHz: SampleRateHz = 8000): string {
  return keysIn(sound, sampleRateHz)
    .map(({ key }) => key)
    .join('');
}

function keyIn(samples: Int16Array, rateHz: number): string | null {
  const mean = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  if (mean < SOFTEST_RMS ** 2) return null;
  const shares = ALL_KEYS.map((key) => {
    const [low, high] = PAIRS[key]!.map((hertz) => powerAt(samples, hertz, rateHz) / mean);
    // Both tones are required, not one loud tone.
    return { key, share: Math.min(low!, high!) > 0.15 ? low! + high! : 0 };
  });
  const best = shares.reduce((most, one) => (one.share > most.share ? one : most));
  return best.share >= LEAST_SHARE ? best.key : null;
}

/** The mean power of a frequency in the samples (Hann window). */
function powerAt(samples: Int16Array, hertz: number, rateHz: number): number {
  let [real, imaginary, weights] = [0, 0, 0];
  samples.forEach((sample, at) => {
    const weight = 1 - Math.cos((2 * Math.PI * (at + 0.5)) / samples.length);
    const phase = (2 * Math.PI * hertz * at) / rateHz;
    real += weight * sample * Math.cos(phase);
    imaginary += weight * sample * Math.sin(phase);
    weights += weight;
  });
  const amplitude = (2 * Math.hypot(real, imaginary)) / weights;
  return amplitude ** 2 / 2;
}
