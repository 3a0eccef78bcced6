/*
 * The basic units of audio in all modules of the service: sample rates, encodings, frames and fades. The reused sample
 * memory of decoders is here as well.
 */

/** Sample rates of a call's audio (docs/audio-socket.md): telephone and wide-band. */
export type SampleRateHz = 8000 | 16000;

/**
 * Encodings of samples on a socket. Inside the service, audio is always mono, in signed 16-bit samples (`Int16Array`).
 */
export type AudioEncoding = 'pcm16' | 'mulaw';

/** The length of a frame: calls are paced, and voices and tones detected, frame by frame. */
export const FRAME_MS = 20;

/** Samples in one frame. */
export function frameSamples(sampleRateHz: SampleRateHz): number {
  return (sampleRateHz * FRAME_MS) / 1000;
}

/** Reused memory of a decoder: the samples of one message, valid until the next message is decoded. */
export interface SampleScratch {
  /** Memory for `count` samples, which still holds old samples. Nothing is allocated while `count` does not change. */
  take(count: number): Int16Array;
}

/** Creates the memory of one decoder. @param initialSamples the initial size; the memory grows for a larger `count` */
export function createSampleScratch(initialSamples: number): SampleScratch {
  let memory = new Int16Array(initialSamples);
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

/** The length of a fade: the shortest without an audible click. */
const FADE_MS = 5;

/** Length of a fade to silence in samples. */
export function fadeSamples(sampleRateHz: number): number {
  return (sampleRateHz * FADE_MS) / 1000;
}

/**
 * The gain when `toGo` samples of a fade to silence are left: 1 for `toGo >= length`, then down a cosine curve to 0.
 */
export function fadeGain(toGo: number, length: number): number {
  if (toGo >= length) return 1;
  return toGo <= 0 ? 0 : (1 - Math.cos((Math.PI * toGo) / length)) / 2;
}
