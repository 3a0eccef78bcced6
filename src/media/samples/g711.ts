/*
 * G.711, the encoding of telephone audio (ITU-T G.711), by table: μ-law both ways, and A-law decoding only, because the
 * service never sends A-law. The μ-law encoder is that of the reference implementations: 14 bits, clipped at 8159.
 */

/** The offset of μ-law, at 14 bits, which is added to a magnitude before its segment is found. */
const BIAS = 33;
/** The largest magnitude of μ-law, at 14 bits. */
const CLIP = 8159;

/** Samples by μ-law code. */
export const PCM_OF_ULAW = Int16Array.from({ length: 256 }, (_, code) => expandUlaw(code));
/** Samples by A-law code. */
export const PCM_OF_ALAW = Int16Array.from({ length: 256 }, (_, code) => expandAlaw(code));
/** μ-law codes by sample; the index is the sample's 16 bits as an unsigned number. */
export const ULAW_OF_PCM = Uint8Array.from({ length: 65536 }, (_, bits) => compressUlaw((bits << 16) >> 16));

/** The μ-law code of silence. */
export const ULAW_SILENCE = 0xff;

/** Decodes the front of `bytes` until `into` is full; `bytes` must be at least as long. */
export function decodeUlaw(bytes: Uint8Array, into: Int16Array): void {
  decodeG711(bytes, into, PCM_OF_ULAW);
}

/** As {@link decodeUlaw}, with a decoding table: {@link PCM_OF_ULAW} or {@link PCM_OF_ALAW}. */
export function decodeG711(bytes: Uint8Array, into: Int16Array, pcmOfCode: Int16Array): void {
  for (let i = 0; i < into.length; i++) into[i] = pcmOfCode[bytes[i]!]!;
}

/** Encodes all of `samples` into the front of `into`, which must be at least as long. */
export function encodeUlaw(samples: Int16Array, into: Uint8Array): void {
  for (let i = 0; i < samples.length; i++) into[i] = ULAW_OF_PCM[samples[i]! & 0xffff]!;
}

/** The 16-bit sample of a μ-law code. A code is sent with all bits inverted. `* 4` turns 14 bits into 16. */
function expandUlaw(code: number): number {
  const inverted = ~code & 0xff;
  const segment = (inverted >> 4) & 7;
  const magnitude = ((((inverted & 0x0f) << 1) + BIAS) << segment) - BIAS;
  return (inverted & 0x80 ? -magnitude : magnitude) * 4;
}

/**
 * The 16-bit sample of an A-law code. A-law sends the even bits of a code inverted. A code means the middle of its
 * quantisation step; the steps of the lowest segment have no leading bit.
 */
function expandAlaw(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 7;
  const middle = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? middle : (middle + 0x100) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

/** The μ-law code of a 16-bit sample. */
function compressUlaw(sample: number): number {
  // The shift rounds down, so −1 stays −1 at 14 bits, as in the reference.
  const value = sample >> 2;
  const biased = Math.min(Math.abs(value), CLIP) + BIAS;
  const mask = value < 0 ? 0x7f : 0xff;
  const segment = 31 - Math.clz32(biased) - 5;
  // Only the clipped magnitude reaches segment 8: it gets the loudest code.
  if (segment > 7) return 0x7f ^ mask;
  return ((segment << 4) | ((biased >> (segment + 1)) & 0x0f)) ^ mask;
}
