import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  base64Length,
  decodeBase64G711,
  encodeBase64Ulaw,
  samplesInBase64,
} from '#media/samples/base64-g711.js';
import { decodeG711, encodeUlaw, PCM_OF_ALAW, PCM_OF_ULAW } from '#media/samples/g711.js';

const sound = fc.int16Array({ maxLength: 700 });
const codes = fc.uint8Array({ maxLength: 700 });

describe('G.711 in base64', () => {
  it('is written as the long way through bytes writes it, anywhere in a message', () => {
    fc.assert(
      fc.property(sound, fc.nat(5), (samples, at) => {
        const bytes = Buffer.alloc(samples.length);
        encodeUlaw(samples, bytes);
        const message = Buffer.alloc(at + base64Length(samples.length) + 2, '.');
        encodeBase64Ulaw(samples, message, at);
        expect(message.toString('latin1')).toBe(`${'.'.repeat(at)}${bytes.toString('base64')}..`);
      }),
    );
  });

  it('is read as the long way through bytes reads it', () => {
    fc.assert(
      fc.property(codes, fc.nat(5), fc.constantFrom(PCM_OF_ULAW, PCM_OF_ALAW), (bytes, at, law) => {
        const text = Buffer.from(`${'"'.repeat(at)}${Buffer.from(bytes).toString('base64')}`);
        const count = samplesInBase64(text, at, text.length);
        expect(count).toBe(bytes.length);
        const [short, long] = [new Int16Array(count), new Int16Array(count)];
        expect(decodeBase64G711(text, at, short, law)).toBe(true);
        decodeG711(bytes, long, law);
        expect(short).toEqual(long);
      }),
    );
  });

  it('is not read when a character is none of base64, wherever it stands', () => {
    const usual = Buffer.alloc(160, 0x80).toString('base64');
    for (let at = 0; at < usual.length - 2; at++) {
      for (const strange of ['-', ' ', '\\', '=', 'é']) {
        const text = Buffer.from(`${usual.slice(0, at)}${strange}${usual.slice(at + 1)}`, 'latin1');
        expect(decodeBase64G711(text, 0, new Int16Array(160), PCM_OF_ULAW)).toBe(false);
      }
    }
  });

  it('has whole groups of four', () => {
    expect(
      ['', 'AA==', 'AAA=', 'AAAA', 'AAA', 'AAAAA'].map((text) =>
        samplesInBase64(Buffer.from(text), 0, text.length),
      ),
    ).toEqual([0, 1, 2, 3, -1, -1]);
  });
});
