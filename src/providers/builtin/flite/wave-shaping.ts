/**
 * Prepares synthesised speech for a call: trims the silence around it and brings it to one level. Flite's voices differ
 * in both. Used by the speaking threads (`loadSpeakingDuty`). Samples are 16-bit.
 */

/** The target level (RMS, relative to full scale): pleasant on a telephone, with headroom for peaks. */
const TARGET_DBFS = -18;
const FULL_SCALE = 32_767;
/** A window whose peak is lower is silent: above a voice's noise floor, below its softest consonants. */
const SILENCE_PEAK = 170;
/** The length of the windows in which silence is measured. */
const WINDOW_MS = 5;
/** Silence kept around the speech, so that soft beginnings and ends are not cut. */
const MARGIN_MS = 10;
/** Peaks above this part of full scale are limited softly instead of clipped. */
const KNEE = 0.75;
/** The part of full scale that a limited peak approaches and does not exceed. */
const CEILING = 0.98;
/** The most amplification (a factor), for audio that is hardly louder than silence. */
const MAX_GAIN = 8;

/**
 * Cuts the silence around speech down to {@link MARGIN_MS}; synthesisers produce up to 290 ms before it. Returns a view
 * of the same samples, empty if all of them are silent.
 */
export function trimSilence(samples: Int16Array, sampleRateHz: number): Int16Array {
  const windowSamples = (sampleRateHz * WINDOW_MS) / 1000;
  const marginSamples = (sampleRateHz * MARGIN_MS) / 1000;
  let first = -1;
  let last = -1;
  for (let from = 0; from < samples.length; from += windowSamples) {
    if (peakOf(samples, from, from + windowSamples) < SILENCE_PEAK) continue;
    if (first < 0) first = from;
    last = from + windowSamples;
  }
  if (first < 0) return new Int16Array(0);
  return samples.subarray(Math.max(0, first - marginSamples), Math.min(samples.length, last + marginSamples));
}

/** The same speech at −18 dBFS RMS; peaks that would clip are limited softly. */
export function normaliseLevel(samples: Int16Array): Int16Array {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  if (energy === 0) return samples.slice();
  const rms = Math.sqrt(energy / samples.length);
  const gain = Math.min(MAX_GAIN, (FULL_SCALE * 10 ** (TARGET_DBFS / 20)) / rms);
  return samples.map((sample) => Math.round(FULL_SCALE * limitPeak((sample * gain) / FULL_SCALE)));
}

function peakOf(samples: Int16Array, from: number, to: number): number {
  let peak = 0;
  for (let i = from; i < to && i < samples.length; i++) peak = Math.max(peak, Math.abs(samples[i]!));
  return peak;
}

/** Linear up to the knee, then a curve that approaches the ceiling. */
function limitPeak(value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude <= KNEE) return value;
  const headroom = CEILING - KNEE;
  return Math.sign(value) * (KNEE + headroom * Math.tanh((magnitude - KNEE) / headroom));
}
