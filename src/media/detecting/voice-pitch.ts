import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';

/** Sample rate of the analysis. It suffices for the pitch of voices: 70 Hz (a deep man) to 400 Hz (a child). */
const ANALYSIS_RATE_HZ = 4_000;
/** The pitch periods of these voices, in samples. */
const LONGEST_LAG = Math.floor(ANALYSIS_RATE_HZ / 70);
const SHORTEST_LAG = Math.ceil(ANALYSIS_RATE_HZ / 400);
/**
 * Least autocorrelation at one pitch period of a single voice; 1 is a sound that repeats exactly. Measured share of
 * voiced frames that reach it: one person a quarter (words with sibilants) to nine tenths, also in noise; four people
 * at once a tenth at most; breath, coughs, chords and noise none.
 */
const LEAST_CORRELATION = 0.8;

/**
 * Distinguishes the pitch of a single voice from breath, noise, chords and many voices at once. Used by
 * `SpeakerClassifier`.
 */
export interface VoicePitch {
  /**
   * True if two neighbouring frames of 20 ms have a single voice's pitch: together they hold two periods of even the
   * deepest voice.
   */
  hasSingleVoicePitch(before: Int16Array, frame: Int16Array): boolean;
}

/** Creates the detector of one call. All memory is allocated here, none for a frame. */
export function createVoicePitch(sampleRateHz: SampleRateHz): VoicePitch {
  const factor = sampleRateHz / ANALYSIS_RATE_HZ;
  const frameLength = frameSamples(sampleRateHz) / factor;
  const wave = new Float64Array(2 * frameLength);
  /** Running energy: entry n is the energy of the first n samples. */
  const energy = new Float64Array(2 * frameLength + 1);

  /** Writes a frame into the wave from a position on, downsampled by averaging. */
  const downsample = (frame: Int16Array, from: number): void => {
    for (let at = 0; at < frameLength; at += 1) {
      let sum = 0;
      for (let offset = 0; offset < factor; offset += 1) sum += frame[at * factor + offset]!;
      const sample = sum / factor;
      wave[from + at] = sample;
      energy[from + at + 1] = energy[from + at]! + sample * sample;
    }
  };

  /** The normalised autocorrelation at a lag: how alike the wave and the wave `lag` samples earlier are, up to 1. */
  const correlationAt = (lag: number): number => {
    let product = 0;
    for (let at = lag; at < wave.length; at += 1) product += wave[at]! * wave[at - lag]!;
    const laterEnergy = energy[wave.length]! - energy[lag]!;
    // Plus 1, so that silence is not divided by zero.
    return product / Math.sqrt(1 + laterEnergy * energy[wave.length - lag]!);
  };

  return {
    hasSingleVoicePitch(before, frame) {
      downsample(before, 0);
      downsample(frame, frameLength);
      for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag += 1)
        if (correlationAt(lag) >= LEAST_CORRELATION) return true;
      return false;
    },
  };
}
