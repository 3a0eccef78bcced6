import { FRAME_LENGTH } from './line.js';

const PEAK = 32_767;

/** Noise under everything that a mouthpiece picks up, speech or not. */
export interface NoisyMouthpiece {
  /** One frame with its noise (null is silence). Valid until the next call; the frame given stays as it is. */
  pick(said: Int16Array | null): Int16Array;
}

/**
 * @param loop noise at the level of a voice, gone round for ever
 * @param snrDb how far a voice stands above it
 */
export function createNoisyMouthpiece(loop: Int16Array, snrDb: number): NoisyMouthpiece {
  const frame = new Int16Array(FRAME_LENGTH);
  const gain = 10 ** (-snrDb / 20);
  let at = 0;
  return {
    pick(said) {
      for (let i = 0; i < FRAME_LENGTH; i++) {
        const mixed = (said?.[i] ?? 0) + Math.round(loop[at]! * gain);
        frame[i] = Math.max(-PEAK, Math.min(PEAK, mixed));
        at = (at + 1) % loop.length;
      }
      return frame;
    },
  };
}
