import { FRAME_SAMPLES } from './sandbox-frames.js';

// Bad lines of the sandbox: background noise, and the random numbers for noises, coughs and disturbed connections.

/** The largest 16-bit sample. */
const PEAK = 32_767;

/** Adds background noise to the audio of a callee, speech or silence. */
export interface NoiseMixer {
  /** Mixes one frame (null is silence) with noise. The result is valid until the next call; the input is unchanged. */
  mix(speech: Int16Array | null): Int16Array;
}

/**
 * Creates the mixer for the audio stream of a persona on a noisy line (`MediaStream`).
 * @param loop noise at the level of a voice, repeated
 * @param snrDb level of the voice above the noise, in dB
 */
export function createNoiseMixer(loop: Int16Array, snrDb: number): NoiseMixer {
  const frame = new Int16Array(FRAME_SAMPLES);
  const gain = 10 ** (-snrDb / 20);
  let loopAt = 0;
  return {
    mix(speech) {
      for (let i = 0; i < FRAME_SAMPLES; i++) {
        const mixed = (speech?.[i] ?? 0) + Math.round(loop[loopAt]! * gain);
        frame[i] = Math.max(-PEAK, Math.min(PEAK, mixed));
        loopAt = (loopAt + 1) % loop.length;
      }
      return frame;
    },
  };
}

/**
 * Returns a source of pseudo-random numbers from 0 (inclusive) to 1, reproducible for a seed: a bad line must be bad in
 * the same way in every test (mulberry32, public domain).
 */
export function createRandom(seed: string): () => number {
  // The seed's FNV-1a hash is the first state.
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
