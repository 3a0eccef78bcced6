/** The rates the interface knows (Interface: WebSocket audio streams): telephone and wide-band. */
export type SampleRateHz = 8000 | 16000;

/** How samples travel on a socket. Inside the service, audio is always signed 16-bit samples (`Int16Array`), mono. */
export type AudioEncoding = 'pcm16' | 'mulaw';

/** The length of every frame that is paced, detected or recorded. */
export const FRAME_MS = 20;

/** Samples in one frame. */
export function frameSamples(rate: SampleRateHz): number {
  return (rate * FRAME_MS) / 1000;
}
