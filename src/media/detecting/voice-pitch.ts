import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';

/** Vowels have pitches from 70 Hz (a deep man) to 400 Hz (a child); all of them live in sound of this rate. */
const RATE_HZ = 4_000;
const LONGEST_LAG = Math.floor(RATE_HZ / 70);
const SHORTEST_LAG = Math.ceil(RATE_HZ / 400);
/**
 * So alike is a voice to itself one pitch period later (1: the same). Of one person's voiced frames a quarter (words
 * that hiss) to nine tenths are, also in noise; of four people's who talk at once a tenth at most, of breath, coughs,
 * chords and noise none.
 */
const ALIKE = 0.8;

/** Tells the plain pitch of one voice from breath, noise, chords and many voices at once. */
export interface VoicePitch {
  /**
   * Whether the last of two neighbouring frames of 20 ms has one; together they hold two periods of the deepest voice.
   */
  isPlain(before: Int16Array, frame: Int16Array): boolean;
}

/** All its memory is taken here. */
export function createVoicePitch(sampleRateHz: SampleRateHz): VoicePitch {
  const factor = sampleRateHz / RATE_HZ;
  const half = frameSamples(sampleRateHz) / factor;
  const wave = new Float64Array(2 * half);
  /** The energy of the first so many samples. */
  const energy = new Float64Array(2 * half + 1);

  /** Every sample of the slower rate is the mean of those it stands for. */
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
