import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { createDtmfDetector, DtmfReceiver, dtmfTone, dtmfDurationMs } from '#media/detecting/dtmf.js';
import { ALL_KEYS, keysIn } from '#test/support/key-judge.js';
import { joined } from '#test/support/telephone-line.js';

const RATES: readonly SampleRateHz[] = [8000, 16000];
const FRAME_MS = 20;
const SPEECH = new URL('./fixtures/two-phrases.ulaw', import.meta.url);

function overUlaw(sound: Int16Array): Int16Array {
  const bytes = new Uint8Array(sound.length);
  encodeUlaw(sound, bytes);
  const heard = new Int16Array(sound.length);
  decodeUlaw(bytes, heard);
  return heard;
}

/** Keys with silence before and after them. */
function line(keys: string, rateHz: SampleRateHz): Int16Array {
  const silence = new Int16Array(rateHz / 10);
  return joined([silence, ...[...keys].map((key) => dtmfTone(key, rateHz)), silence]);
}

describe.each(RATES)('key tones at %d Hz', (rateHz) => {
  it.each(ALL_KEYS)('are digit %s and nothing else, 100 ms long and balanced, after μ-law too', (key) => {
    for (const heard of [line(key, rateHz), overUlaw(line(key, rateHz))]) {
      const [only, ...others] = keysIn(heard, rateHz);
      expect(others).toEqual([]);
      expect(only!.key).toBe(key);
      expect(Math.abs(only!.startMs - 100)).toBeLessThanOrEqual(FRAME_MS);
      expect(Math.abs(only!.lengthMs - 100)).toBeLessThanOrEqual(FRAME_MS);
      expect(Math.abs(only!.twistDb)).toBeLessThan(2);
    }
  });

  it('are as loud as a sine of -8 dBFS, never clip, and begin and end softly', () => {
    for (const key of ALL_KEYS) {
      const sound = dtmfTone(key, rateHz);
      const tone = sound.subarray(rateHz / 100, rateHz / 11);
      const rms = Math.sqrt(tone.reduce((sum, sample) => sum + sample ** 2, 0) / tone.length);
      expect(Math.abs(20 * Math.log10((rms * Math.SQRT2) / 32_768) + 8)).toBeLessThan(0.5);
      expect(Math.max(...sound.map(Math.abs))).toBeLessThan(19_000);
      expect(Math.abs(sound[1]!) + Math.abs(sound[rateHz / 10 - 1]!)).toBeLessThan(2_000);
    }
  });

  it('follow each other in order and at the pace of the digits', () => {
    const keys = '1w2345#';
    expect(dtmfDurationMs(keys)).toBe(6 * 200 + 500);
    const heard = keysIn(overUlaw(line(keys, rateHz)), rateHz);
    expect(heard.map(({ key }) => key).join('')).toBe('12345#');
    const gaps = heard.slice(1).map(({ startMs }, at) => startMs - heard[at]!.startMs);
    [700, 200, 200, 200, 200].forEach((gapMs, at) =>
      expect(Math.abs(gaps[at]! - gapMs)).toBeLessThanOrEqual(FRAME_MS),
    );
  });

  it('are reported once per tone, wherever the frames are cut', () => {
    const keys = ALL_KEYS.join('') + '1155';
    const sound = overUlaw(line(keys, rateHz));
    const frame = frameSamples(rateHz);
    for (const cutAt of [0, 0.3, 0.5, 0.9]) {
      const listener = new DtmfReceiver(rateHz);
      let heard = '';
      for (let from = Math.round(cutAt * frame); from + frame <= sound.length; from += frame)
        heard += listener.hear(sound.subarray(from, from + frame)) ?? '';
      expect(heard).toBe(keys);
      expect(listener.isSounding).toBe(false);
    }
  });
});

it('a voice is no DTMF tone', () => {
  const bytes = readFileSync(SPEECH);
  const sound = new Int16Array(bytes.length);
  decodeUlaw(bytes, sound);
  const detector = createDtmfDetector(8000);
  const frame = frameSamples(8000);
  for (let from = 0; from + frame <= sound.length; from += frame)
    expect(detector.digitIn(sound.subarray(from, from + frame))).toBe(null);
});
