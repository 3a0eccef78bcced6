import { describe, expect, it } from 'vitest';
import { wavOf } from '#media/samples/wav.js';
import { loadResampling } from '#media/samples/resampler.js';
import { SoundDecoder } from '#providers/voices/sound-decoder.js';
import type { SoundFormat } from '#providers/voices/voice-wire.js';
import { joined } from '#test/support/telephone-line.js';

const SOUND = Int16Array.from({ length: 4_800 }, (_, at) => Math.round(8_000 * Math.sin(at / 9)));
const PCM_24: SoundFormat = { encoding: 'pcm16', rateHz: 24_000 };
const resampling = await loadResampling();

/** The samples of bytes that come in pieces of this size. */
function decoded(bytes: Buffer, format: SoundFormat, size: number, toHz: 8000 | 16_000 = 8000): Int16Array {
  const decoder = new SoundDecoder(format, toHz, resampling);
  const pieces: Int16Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(decoder.decode(bytes.subarray(at, at + size)));
  pieces.push(decoder.flush());
  decoder.free();
  return joined(pieces);
}

describe('the sound of a vendor', () => {
  const raw = Buffer.from(SOUND.buffer);

  it.each([1, 2, 3, 1_279, 99_999])('is the same in pieces of %d bytes', (size) => {
    const whole = decoded(raw, PCM_24, raw.length);
    expect(whole).toHaveLength(SOUND.length / 3);
    expect(decoded(raw, PCM_24, size)).toEqual(whole);
  });

  it.each([1, 7, 45, 99_999])(
    'is read by its own header where a WAV file comes in pieces of %d bytes',
    (size) => {
      const wide = decoded(wavOf([SOUND], 16_000), PCM_24, size, 16_000);
      expect(wide).toEqual(SOUND);
    },
  );

  it('may be short, and begin as a header does', () => {
    expect(decoded(Buffer.from('RI'), { encoding: 'pcm16', rateHz: 8000 }, 1)).toHaveLength(1);
    expect(decoded(Buffer.of(0xff, 0x7f), { encoding: 'mulaw', rateHz: 8000 }, 1)).toEqual(
      Int16Array.of(0, 0),
    );
  });
});
