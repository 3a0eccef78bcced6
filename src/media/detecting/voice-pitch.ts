import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';

/** Voiced sounds have a pitch from 70 Hz (a deep man) to 400 Hz (a child), which this rate suffices for. */
const RATE_HZ = 4_000;
const LONGEST_LAG = Math.floor(RATE_HZ / 70);
const SHORTEST_LAG = Math.ceil(RATE_HZ / 400);
/**
 * The autocorrelation at one pitch period (1: identical) of a single voice. Measured: one person's voiced frames reach
 * it in a quarter (words with sibilants) to nine tenths of cases, also in noise; four people talking at once in a
 * tenth at most; breath, coughs, chords and noise never.
 */
const ALIKE = 0.8;

/** Distinguishes the pitch of a single voice from breath, noise, chords and many voices at once. */
export interface VoicePitch {
  /**
   * True if the second of two neighbouring frames of 20 ms has a single voice's pitch; two frames hold two periods of
   * the deepest voice.
   */
  isPlain(before: Int16Array, frame: Int16Array): boolean;
}

/** All memory is allocated here. */
export function createVoicePitch(sampleRateHz: SampleRateHz): VoicePitch {
  const factor = sampleRateHz / RATE_HZ;
  const half = frameSamples(sampleRateHz) / factor;
  const wave = new Float64Array(2 * half);
  /** Running energy: entry n is the energy of the first n samples. */
  const energy = new Float64Array(2 * half + 1);

  /** Downsamples by averaging. */
  const take = (frame: Int16Array, from: number): void => {
    for (let at = 0; at < half; at += 1) {
      let sum = 0;
      for (let of = 0; of < factor; of += 1) sum += frame[at * factor + of]!;
      const sample = sum / factor;
      wave[from + at] = sample;
      energy[from + at + 1] = energy[from + at]! + sample * sample;
    }
  };

  const likeness = (lag: number): number => {
    let both = 0;
    for (let at = lag; at < wave.length; at += 1) both += wave[at]! * wave[at - lag]!;
    const later = energy[wave.length]! - energy[lag]!;
    return both / Math.sqrt(1 + later * energy[wave.length - lag]!);
  };

  return {
    isPlain(before, frame) {
      take(before, 0);
      take(frame, half);
      for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag += 1) if (likeness(lag) >= ALIKE) return true;
      return false;
    },
  };
}
