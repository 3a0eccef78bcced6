/** Speech at this level is pleasant on a telephone and leaves room for its peaks. */
const TARGET_DBFS = -18;
const FULL_SCALE = 32_767;
/** Softer than this is silence: a voice's noise floor lies below, its quietest consonants above. */
const SILENCE_PEAK = 170;
const WINDOW_MS = 5;
/** Kept around the speech, so that soft beginnings and ends are not cut. */
const MARGIN_MS = 10;
/** Above this part of full scale, peaks are bent instead of clipped. */
const KNEE = 0.75;
const CEILING = 0.98;
/** A piece that is hardly louder than silence is not blown up. */
const HIGHEST_GAIN = 8;

/** Cuts the silence around speech down to {@link MARGIN_MS}. Synthesisers put up to 290 ms before it. */
export function trimSilence(samples: Int16Array, sampleRateHz: number): Int16Array {
  const window = (sampleRateHz * WINDOW_MS) / 1000;
  const margin = (sampleRateHz * MARGIN_MS) / 1000;
  let first = -1;
  let last = -1;
  for (let from = 0; from < samples.length; from += window) {
    if (peakOf(samples, from, from + window) < SILENCE_PEAK) continue;
    if (first < 0) first = from;
    last = from + window;
  }
  if (first < 0) return new Int16Array(0);
  return samples.subarray(Math.max(0, first - margin), Math.min(samples.length, last + margin));
}

/** The same speech at −18 dBFS RMS; peaks that would clip are bent softly below full scale. */
export function level(samples: Int16Array): Int16Array {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  if (energy === 0) return samples.slice();
  const rms = Math.sqrt(energy / samples.length);
  const gain = Math.min(HIGHEST_GAIN, (FULL_SCALE * 10 ** (TARGET_DBFS / 20)) / rms);
  return samples.map((sample) => Math.round(FULL_SCALE * limitPeak((sample * gain) / FULL_SCALE)));
}

function peakOf(samples: Int16Array, from: number, to: number): number {
  let peak = 0;
  for (let i = from; i < to && i < samples.length; i++) peak = Math.max(peak, Math.abs(samples[i]!));
  return peak;
}

/** Straight up to the knee, then a curve that never reaches the ceiling. */
function limitPeak(value: number): number {
  const size = Math.abs(value);
  if (size <= KNEE) return value;
  const room = CEILING - KNEE;
  return Math.sign(value) * (KNEE + room * Math.tanh((size - KNEE) / room));
}
