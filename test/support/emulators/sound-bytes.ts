import { decodeUlaw, encodeUlaw, ULAW_SILENCE } from '#media/samples/g711.js';
import type { Person } from './person.js';

/** 20 ms of μ-law at 8 kHz. */
const ULAW_FRAME_BYTES = 160;
const SILENCE = Buffer.alloc(ULAW_FRAME_BYTES, ULAW_SILENCE);

/** Lets a person hear 20 ms of μ-law (or silence), and returns 20 ms of what they say. */
export function exchangeUlaw(person: Person, played: Buffer | null): Buffer {
  const heard = played && new Int16Array(ULAW_FRAME_BYTES);
  if (played && heard) decodeUlaw(played, heard);
  const said = person.frame(heard);
  if (!said) return SILENCE;
  const bytes = Buffer.alloc(said.length);
  encodeUlaw(said, bytes);
  return bytes;
}

/** Samples as little-endian bytes. */
export function pcmBytes(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * 2));
  return bytes;
}

/** Samples from little-endian bytes. */
export function pcmSamples(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(index * 2));
}
