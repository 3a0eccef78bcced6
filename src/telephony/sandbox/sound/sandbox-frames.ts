import { FRAME_MS, frameSamples } from '#media/samples/audio.js';

/** The frames of audio in which the sandbox network exchanges sound between simulated callees and the service. */

/** The sample rate of the audio of every sandbox call. */
export const SANDBOX_SAMPLE_RATE_HZ = 8000;

/** Samples in a frame of 20 ms; also its bytes, because μ-law has one byte for a sample. */
export const FRAME_SAMPLES = frameSamples(SANDBOX_SAMPLE_RATE_HZ);

/** The number of frames of 20 ms that cover a duration. */
export function framesIn(durationMs: number): number {
  return Math.ceil(durationMs / FRAME_MS);
}
