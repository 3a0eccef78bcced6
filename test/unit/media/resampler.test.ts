import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadResampling, type Resampler, type Resampling } from '#media/samples/resampler.js';

let resampling: Resampling;
let opened: Resampler[] = [];
beforeAll(async () => {
  resampling = await loadResampling();
});
afterEach(() => {
  opened.forEach((stream) => stream.free());
  opened = [];
});

function open(fromHz: number, toHz: number, aligned = false): Resampler {
  const stream = resampling.open({ fromHz, toHz, aligned });
  opened.push(stream);
  return stream;
}

const tone = (hz: number, rateHz: number, count: number) =>
  Int16Array.from({ length: count }, (_, i) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  );

/** Strength of one frequency, 1 for a tone of amplitude 10,000. */
function strength(samples: Int16Array, hz: number, rateHz: number): number {
  let real = 0;
  let imaginary = 0;
  samples.forEach((sample, i) => {
    real += sample * Math.cos((2 * Math.PI * hz * i) / rateHz);
    imaginary += sample * Math.sin((2 * Math.PI * hz * i) / rateHz);
  });
  return Math.hypot(real, imaginary) / samples.length / 5_000;
}

const RATES = [
  [8000, 16_000],
  [16_000, 8000],
  [22_050, 8000],
  [24_000, 8000],
  [22_050, 16_000],
  [24_000, 16_000],
] as const;

describe.each(RATES)('from %i to %i Hz', (fromHz, toHz) => {
  it('keeps a tone and its strength', () => {
    const out = Int16Array.from(open(fromHz, toHz, true).process(tone(1000, fromHz, fromHz)));
    expect(strength(out.subarray(toHz / 10, (toHz * 9) / 10), 1000, toHz)).toBeCloseTo(1, 1);
  });

  it('gives as much as it takes, in time with it, when aligned and flushed', () => {
    const stream = open(fromHz, toHz, true);
    const click = new Int16Array(fromHz);
    click[fromHz / 2] = 30_000;
    const out = Int16Array.from([...stream.process(click), ...stream.flush()]);
    expect(Math.abs(out.length - toHz)).toBeLessThanOrEqual(1);
    const loudest = out.reduce((at, sample, i) => (sample > out[at]! ? i : at), 0);
    expect(Math.abs(loudest - toHz / 2)).toBeLessThanOrEqual(1);
  });

  it('makes the same sound of any cut', () => {
    const sound = tone(440, fromHz, fromHz);
    const whole = Int16Array.from(open(fromHz, toHz).process(sound));
    const stream = open(fromHz, toHz);
    const parts: number[] = [];
    for (let at = 0, size = 1; at < sound.length; at += size, size = (size * 5 + 1) % 1999) {
      parts.push(...stream.process(sound.subarray(at, at + size)));
    }
    expect(Int16Array.from(parts)).toEqual(whole);
  });
});

describe('a live stream', () => {
  it('gives one frame for each frame, five milliseconds late', () => {
    const stream = open(16_000, 8000);
    const frame = tone(300, 16_000, 320);
    expect(stream.process(frame)).toHaveLength(160);
    expect(stream.process(frame)).toHaveLength(160);
    expect(stream.delayMs).toBe(5);
  });

  it('lets nothing through that the lower rate cannot carry', () => {
    const out = Int16Array.from(open(16_000, 8000).process(tone(6000, 16_000, 16_000)));
    expect(strength(out.subarray(800), 2000, 8000)).toBeLessThan(0.001);
  });

  it('is not disturbed by other streams, even when memory grows under it', () => {
    const sound = tone(700, 8000, 1600);
    const alone = Int16Array.from(open(8000, 16_000).process(sound));
    const stream = open(8000, 16_000);
    const parts: number[] = [...stream.process(sound.subarray(0, 800))];
    for (let i = 0; i < 2000; i++) open(48_000, 8000).process(sound.subarray(0, 160));
    parts.push(...stream.process(sound.subarray(800)));
    expect(Int16Array.from(parts)).toEqual(alone);
  });

  it('is freed once, and says so afterwards', () => {
    const stream = open(8000, 16_000);
    stream.free();
    stream.free();
    expect(() => stream.process(new Int16Array(160))).toThrow('freed');
  });

  it('refuses rates that make no sense', () => {
    expect(() => resampling.open({ fromHz: 0, toHz: 8000 })).toThrow(RangeError);
  });
});
