import { describe, expect, it } from 'vitest';
import type { SampleRateHz } from '#media/samples/audio.js';
import { createVoicePitch } from '#media/detecting/voice-pitch.js';
import { pinkNoise } from '#test/support/noise.js';

/** A second of vowels: a pitch and what resounds of it. */
function vowels(pitchHz: number, rateHz = 8_000): Int16Array {
  return Int16Array.from({ length: rateHz }, (_, at) => {
    let sum = 0;
    for (let n = 1; n * pitchHz < 3_000; n += 1)
      sum += Math.sin((2 * Math.PI * n * pitchHz * at) / rateHz + n) / n;
    return Math.round(3_000 * sum);
  });
}

function mixed(...sounds: readonly Int16Array[]): Int16Array {
  return sounds[0]!.map((_, at) => sounds.reduce((sum, sound) => sum + sound[at]! / sounds.length, 0));
}

/** The share of its frames whose pitch is plain. */
function plainShare(sound: Int16Array, rateHz: SampleRateHz = 8_000): number {
  const pitch = createVoicePitch(rateHz);
  const length = rateHz / 50;
  const frames = Array.from({ length: sound.length / length }, (_, at) =>
    sound.subarray(at * length, (at + 1) * length),
  );
  const plain = frames.slice(1).filter((frame, at) => pitch.hasSingleVoicePitch(frames[at]!, frame));
  return plain.length / (frames.length - 1);
}

describe('the pitch of a voice', () => {
  it.each([75, 120, 180, 240, 390])('is plain: %s Hz', (pitchHz) => {
    expect(plainShare(vowels(pitchHz))).toBe(1);
    expect(plainShare(vowels(pitchHz, 16_000), 16_000)).toBe(1);
  });

  it('is mostly plain 10 dB above noise', () => {
    const noise = pinkNoise({ samples: 8_000, levelDb: -28 });
    expect(plainShare(vowels(120).map((sample, at) => sample + noise[at]!))).toBeGreaterThan(0.6);
  });

  it('is not in noise, in silence, or where four people talk at once', () => {
    expect(plainShare(pinkNoise({ samples: 8_000, levelDb: -18 }))).toBeLessThan(0.05);
    expect(plainShare(new Int16Array(8_000))).toBe(0);
    expect(plainShare(mixed(vowels(97), vowels(131), vowels(173), vowels(227)))).toBeLessThan(0.1);
  });
});
