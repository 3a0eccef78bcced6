import { FRAME_MS, frameSamples } from '#media/samples/audio.js';

/** The rate of every sandbox line: the telephone's. */
export const SANDBOX_SAMPLE_RATE_HZ = 8000;

/** Samples in a frame of a sandbox line, and bytes of it in μ-law. */
export const FRAME_LENGTH = frameSamples(SANDBOX_SAMPLE_RATE_HZ);

/** Whole frames in a time, at least as long. */
export function framesIn(durationMs: number): number {
  return Math.ceil(durationMs / FRAME_MS);
}
