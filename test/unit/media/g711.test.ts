import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeG711, decodeUlaw, encodeUlaw, PCM_OF_ALAW, ULAW_SILENCE } from '#media/samples/g711.js';

interface Vectors {
  encode: { pcm16: number; ulaw: number }[];
  decode: number[];
  decode_sha256: string;
  alaw_decode: number[];
  alaw_decode_sha256: string;
  tone: { pcm16le_base64: string; ulaw_base64: string };
}

/** Made with CPython's audioop, a reference implementation. */
const vectors = JSON.parse(readFileSync(new URL('fixtures/g711.json', import.meta.url), 'utf8')) as Vectors;

const CODES = Uint8Array.from({ length: 256 }, (_, code) => code);
const sha256 = (samples: Int16Array) =>
  createHash('sha256').update(new Uint8Array(samples.buffer)).digest('hex');

function decodeAll(): Int16Array {
  const samples = new Int16Array(256);
  decodeUlaw(CODES, samples);
  return samples;
}

describe('μ-law', () => {
  it('decodes every code as the reference does', () => {
    const samples = decodeAll();
    expect([...samples]).toEqual(vectors.decode);
    expect(sha256(samples)).toBe(vectors.decode_sha256);
  });

  it.each(vectors.encode)('encodes $pcm16 as $ulaw', ({ pcm16, ulaw }) => {
    const code = new Uint8Array(1);
    encodeUlaw(Int16Array.of(pcm16), code);
    expect(code[0]).toBe(ulaw);
  });

  it('encodes a tone as the reference does, and silence as silence', () => {
    const bytes = Buffer.from(vectors.tone.pcm16le_base64, 'base64');
    const tone = Int16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(i * 2));
    const codes = Buffer.alloc(tone.length);
    encodeUlaw(tone, codes);
    expect(codes.toString('base64')).toBe(vectors.tone.ulaw_base64);
    encodeUlaw(new Int16Array(tone.length), codes);
    expect(codes.every((code) => code === ULAW_SILENCE)).toBe(true);
  });

  it('is stable: decoding, encoding and decoding again changes nothing', () => {
    const samples = decodeAll();
    const codes = new Uint8Array(256);
    const again = new Int16Array(256);
    encodeUlaw(samples, codes);
    decodeUlaw(codes, again);
    expect(again).toEqual(samples);
  });

  it('is never off by more than one step of its segment', () => {
    const samples = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const codes = new Uint8Array(samples.length);
    const again = new Int16Array(samples.length);
    encodeUlaw(samples, codes);
    decodeUlaw(codes, again);
    const worst = samples.reduce((most, sample, i) => {
      const clipped = Math.max(-32_635, Math.min(32_635, sample));
      return Math.max(most, Math.abs(again[i]! - clipped) / (Math.abs(clipped) + 132));
    }, 0);
    expect(worst).toBeLessThan(1 / 16);
  });
});

describe('A-law', () => {
  it('decodes every code as the reference does', () => {
    const samples = new Int16Array(256);
    decodeG711(CODES, samples, PCM_OF_ALAW);
    expect([...samples]).toEqual(vectors.alaw_decode);
    expect(sha256(samples)).toBe(vectors.alaw_decode_sha256);
  });
});
