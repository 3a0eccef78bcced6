import { describe, expect, it } from 'vitest';
import { AudioQuality } from '#conversation/line/audio-quality.js';
import { silenceWindowMs } from '#conversation/hearing/end-of-turn.js';
import { DEFAULT_TURN_SETTINGS } from '#conversation/talk/turn-settings.js';
import type { RecognitionHints, TurnBelief } from '#speech/stt.js';
import { wordsWithin } from '#speech/words-within.js';

describe('the words of a sentence that were heard', () => {
  it.each([
    [0, ''],
    [0.1, ''],
    [0.45, 'one two'],
    [0.5, 'one two'],
    [0.99, 'one two three'],
    [1, 'one two three four'],
  ])('share %d: %s', (share, words) => {
    expect(wordsWithin('one two three four', share)).toBe(words);
  });
});

describe('the end-of-turn window', () => {
  const choice = {
    kind: 'choice',
    options: [
      { value: 'morning', phrases: ['morning', 'in the morning'] },
      { value: 'either', phrases: ['either'] },
    ],
  } as const;

  const windowMs = (expectation: RecognitionHints, words: string) =>
    silenceWindowMs(expectation, words, DEFAULT_TURN_SETTINGS);

  it('is shorter once the question is answered', () => {
    expect(windowMs({ kind: 'yes_no' }, '')).toBe(600);
    expect(windowMs({ kind: 'yes_no' }, 'yes')).toBe(300);
    expect(windowMs(choice, 'the next')).toBe(600);
    expect(windowMs(choice, 'In the morning')).toBe(300);
  });

  it('stays long for what may go on', () => {
    expect(windowMs({ kind: 'anything' }, 'yes')).toBe(600);
    expect(windowMs(choice, 'morning or either')).toBe(600);
  });

  it('is longer where more must follow, and for numbers', () => {
    expect(windowMs({ kind: 'yes_no' }, 'yes but')).toBe(1_200);
    expect(windowMs({ kind: 'anything' }, 'my name is')).toBe(1_200);
    expect(windowMs({ kind: 'phone_number', plan: 'any' }, 'five five five')).toBe(1_200);
  });

  it('is short for a number that is complete', () => {
    const rating = { kind: 'number', max: 10, isWhole: true } as const;
    expect(windowMs(rating, 'seven')).toBe(300);
    expect(windowMs(rating, 'one')).toBe(1_200);
    expect(windowMs({ ...rating, max: null }, 'seven')).toBe(1_200);
    const phone = { kind: 'phone_number', plan: 'north_american' } as const;
    expect(windowMs(phone, 'four one five five five five')).toBe(1_200);
    expect(windowMs(phone, 'four one five five five five oh one double two')).toBe(300);
  });

  const believed = (expectation: RecognitionHints, words: string, belief: TurnBelief) =>
    silenceWindowMs(expectation, words, DEFAULT_TURN_SETTINGS, belief);
  const anything = { kind: 'anything' } as const;
  const phone = { kind: 'phone_number', plan: 'any' } as const;
  it.each([
    ['an open end', anything, 'I need a table', { likely: 300, certain: 300, resumed: 600 }],
    ['an answer', { kind: 'yes_no' } as const, 'yes', { likely: 300, certain: 300, resumed: 600 }],
    ['half a number', phone, 'four one five', { likely: 1_200, certain: 600, resumed: 1_200 }],
    ['half a sentence', anything, 'my name is', { likely: 1_200, certain: 600, resumed: 1_200 }],
  ])('weighs what a recogniser believes of %s beside the words', (_, expectation, words, windows) => {
    for (const [belief, windowMs] of Object.entries(windows))
      expect(believed(expectation, words, belief as TurnBelief), belief).toBe(windowMs);
  });

  it('is never longer than three seconds', () => {
    const patient = { ...DEFAULT_TURN_SETTINGS, openWindowMs: 9_000 };
    expect(silenceWindowMs({ kind: 'anything' }, '', patient)).toBe(3_000);
  });
});

describe('audio quality', () => {
  it('is the share of frames that came in time and were not clipped', () => {
    const quality = new AudioQuality();
    expect(quality.score).toBe(0);
    const clean = new Int16Array(160).fill(20_000);
    const clipped = new Int16Array(160).fill(-32_768, 0, 3);
    for (let frame = 0; frame < 6; frame += 1) quality.countFrame(clean);
    quality.countFrame(clipped);
    quality.countFrame(null);
    expect(quality.score).toBe(0.75);
  });
});
