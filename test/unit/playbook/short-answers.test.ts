import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { interpret } from '#playbook/understanding/interpret.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

/** What is said to "So that is 3 PM. Is that right?" */
function readBack(text: string) {
  const reading = { now, region: 'US', expectation: { kind: 'time' }, minConfidence: 0.5 } as const;
  return interpret({ text, confidence: 0.9 }, { ...reading, pending: '15:00' }).kind;
}

describe('"I had" and its like', () => {
  it.each([
    'I thought I had',
    'I thought we did',
    'I hoped I would',
    'I assumed that it was',
    'I could have sworn I did',
    'if I did',
    'when I was',
    'before I am',
    "that's what I am",
  ])('answer nothing where they hang on something else: %s', (text) =>
    expect(readYesNo(wordsOf(text), {}, 'Have you paid the bill?')).toBeNull(),
  );

  it.each([
    'I had',
    'yes, I thought I had',
    'I believe I have',
    'I think I did',
    'I said I would',
    'I did, thanks',
  ])('are a yes by themselves: %s', (text) =>
    expect(readYesNo(wordsOf(text), {}, 'Have you paid the bill?')).toBe('yes'),
  );
});

describe('what is said back', () => {
  it.each(['right?', 'correct?', 'is that right?', 'is that correct?', "so that's right?"])(
    'is said once more to whoever asks: %s',
    (text) => expect(readBack(text)).toBe('unclear'),
  );

  // The mark is how a recogniser heard the voice go up; the answer is a yes all the same.
  it.each([
    'right',
    'correct',
    'yes?',
    'yes, right?',
    'yes, correct?',
    "that's right",
    'okay?',
    'yes please?',
  ])('is confirmed by a yes, however it is said: %s', (text) => expect(readBack(text)).toBe('confirmed'));
});
