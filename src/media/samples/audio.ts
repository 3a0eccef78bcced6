/* The basic units of audio in all modules of the service: sample rates, frames and fades. */

/** Sample rates of the audio socket (docs/audio-socket.md): telephone and wide-band. */
export type SampleRateHz = 8000 | 16000;

/**
 * Encodings of samples on a socket. Inside the service, audio is always mono, in signed 16-bit samples (`Int16Array`).
 */
export type AudioEncoding = 'pcm16' | 'mulaw';

/** The length of every frame that is paced, detected or recorded. */
export const FRAME_MS = 20;

/** Samples in one frame. */
export function frameSamples(rate: SampleRateHz): number {
  return (rate * FRAME_MS) / 1000;
}

/** Reused memory of a decoder, for samples that are valid until its next message. */
export interface SampleScratch {
  /** Room for `count` samples, as the same view while the count stays the same. */
  take(count: number): Int16Array;
}

/** Creates the memory of one decoder. @param usualSamples initial size; the memory grows for a larger `count` */
export function createSampleScratch(usualSamples: number): SampleScratch {
  let memory = new Int16Array(usualSamples);
  let view = memory;
  return {
    take(count) {
      if (view.length === count) return view;
      if (memory.length < count) memory = new Int16Array(count);
      view = memory.subarray(0, count);
      return view;
    },
  };
}

/** The shortest fade without an audible click. */
const FADE_MS = 5;

/** Length of a fade to silence in samples. */
export function fadeSamples(sampleRateHz: number): number {
  return (sampleRateHz * FADE_MS) / 1000;
}

/** Gain with `toGo` samples left of a fade of `length` samples: from 1 down to 0. */
export function fadeGain(toGo: number, length: number): number {
  if (toGo >= length) return 1;
  return toGo <= 0 ? 0 : (1 - Math.cos((Math.PI * toGo) / length)) / 2;
}
