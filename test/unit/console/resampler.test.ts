import { expect, it } from 'vitest';
import { Resampler } from '../../../console/src/audio/low-pass.js';

const SECONDS = 1;

/** A tone at one rate, given at another, in blocks of 128 as the browser hands them out. */
function convert(toneHz: number, fromRate: number, toRate: number): number[] {
  const resampler = new Resampler(fromRate, toRate);
  const converted: number[] = [];
  const tone = Float32Array.from({ length: fromRate * SECONDS }, (_, at) =>
    Math.sin((2 * Math.PI * toneHz * at) / fromRate),
  );
  for (let at = 0; at < tone.length; at += 128)
    resampler.push(tone.subarray(at, at + 128), (one) => converted.push(one));
  return converted;
}

const loudness = (samples: number[]) => Math.hypot(...samples.slice(200)) / Math.sqrt(samples.length - 200);

it.each([8_000, 16_000, 44_100, 48_000, 96_000])(
  'keeps the length and the voice of a device at %i Hz',
  (rate) => {
    const converted = convert(1_000, rate, 16_000);
    expect(Math.abs(converted.length - 16_000)).toBeLessThanOrEqual(3);
    expect(loudness(converted)).toBeGreaterThan(0.62);
    expect(loudness(converted)).toBeLessThan(0.75);
  },
);

it('takes away what would come back as a whistle', () => {
  expect(loudness(convert(15_000, 48_000, 16_000))).toBeLessThan(0.01);
});
