import { FRAME_MS, frameSamples } from '#media/samples/audio.js';

/** Sample rate of every sandbox line. */
export const SANDBOX_SAMPLE_RATE_HZ = 8000;

/** Samples in a frame of a sandbox line, and its bytes in μ-law. */
export const FRAME_LENGTH = frameSamples(SANDBOX_SAMPLE_RATE_HZ);

/** Number of frames of 20 ms that cover a duration. */
export function framesIn(durationMs: number): number {
  return Math.ceil(durationMs / FRAME_MS);
}
