/**
 * G.711 by table: μ-law both ways (ITU-T G.711, the encoder of the reference implementations: 14 bits, clipped at
 * 8159), A-law decoding only, because it is never sent. The tables are made once and never change.
 */
const BIAS = 33;
const CLIP = 8159;

/** Indexed by the code. */
export const PCM_OF_ULAW = Int16Array.from({ length: 256 }, (_, code) => expandUlaw(code));
/** Indexed by the code. */
export const PCM_OF_ALAW = Int16Array.from({ length: 256 }, (_, code) => expandAlaw(code));
/** Indexed by the sample as an unsigned 16-bit number. */
export const ULAW_OF_PCM = Uint8Array.from({ length: 65536 }, (_, bits) => compress((bits << 16) >> 16));

/** The μ-law code of silence. */
export const ULAW_SILENCE = 0xff;

/** Decodes the front of `bytes` until `into` is full; `bytes` must be at least as long. */
export function decodeUlaw(bytes: Uint8Array, into: Int16Array): void {
  decodeG711(bytes, into, PCM_OF_ULAW);
}

/** As {@link decodeUlaw}, with a decoding table. */
export function decodeG711(bytes: Uint8Array, into: Int16Array, pcmOfCode: Int16Array): void {
  for (let i = 0; i < into.length; i++) into[i] = pcmOfCode[bytes[i]!]!;
}

/** Encodes all of `samples` into the front of `into`, which must be at least as long. */
export function encodeUlaw(samples: Int16Array, into: Uint8Array): void {
  for (let i = 0; i < samples.length; i++) into[i] = ULAW_OF_PCM[samples[i]! & 0xffff]!;
}

function expandUlaw(code: number): number {
  const inverted = ~code & 0xff;
  const segment = (inverted >> 4) & 7;
  const magnitude = ((((inverted & 0x0f) << 1) + BIAS) << segment) - BIAS;
  return (inverted & 0x80 ? -magnitude : magnitude) * 4;
}

/** Even bits are sent inverted; the lowest segment has no leading bit; every code represents the middle of its step. */
function expandAlaw(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 7;
  const middle = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? middle : (middle + 0x100) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

function compress(sample: number): number {
  // The shift rounds down, so −1 stays −1 at 14 bits, as in the reference.
  const value = sample >> 2;
  const biased = Math.min(Math.abs(value), CLIP) + BIAS;
  const mask = value < 0 ? 0x7f : 0xff;
  const segment = 31 - Math.clz32(biased) - 5;
  if (segment > 7) return 0x7f ^ mask;
  return ((segment << 4) | ((biased >> (segment + 1)) & 0x0f)) ^ mask;
}
