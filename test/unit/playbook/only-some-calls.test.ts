import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { readChoice } from '#playbook/answers/choice.js';
import { mayBeOptOut } from '#playbook/contact-preferences/opt-out-doubt.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-step.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { isOptOut } from '#playbook/understanding/requests.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function read(text: string, expectation: PlaybookExpectation, asked: string, pending: string | null = null) {
  const meaning = interpret(
    { text, confidence: 0.9 },
    { expectation, asked, pending, now, region: 'US', minConfidence: 0.5 },
  );
  return 'value' in meaning ? meaning.value : meaning.kind;
}

describe('a wish about one list, matter or number', () => {
  it.each([
    'take me off the list for tomorrow',
    "take me off the list for thursday's class",
    "don't call me again about this appointment",
    "i don't want calls about this appointment",
    'stop calling about my order',
    'stop calling my old number',
  ])('is no wish for no calls at all: %s', (text) => expect(isOptOut(text)).toBe(false));

  it.each(["take me off the list for thursday's class", "don't call me again about this appointment"])(
    'is asked about: %s',
    (text) => expect(mayBeOptOut(wordsOf(text))).toBe(true),
  );

  it.each([
    'take me off the list for good',
    'take me off the list for these calls',
    "don't call me again about this",
    'stop calling my number',
    'stop calling me about your offers',
  ])('is one where it is meant of all: %s', (text) => expect(isOptOut(text)).toBe(true));
});

describe('when calls are not wanted', () => {
  const limited = [
    "don't call again today",
    "don't call again until monday",
    "i'd rather you didn't call in the evenings",
    'no more calls today',
    "i don't want any calls at the weekend",
  ];

  it.each(limited)('forbids none, and answers nothing else: %s', (text) => {
    expect(isOptOut(text)).toBe(false);
    expect(mayBeOptOut(wordsOf(text))).toBe(false);
    expect(readYesNo(wordsOf(text), {}, 'Will you come tomorrow?')).toBeNull();
  });
});

describe('asked again, or in the words of the answer', () => {
  const options = ['satisfied', 'unsatisfied'].map((value) => ({ value, phrases: [] }));

  it.each(['far from satisfied', 'hardly satisfied'])('is no choice: %s', (text) =>
    expect(readChoice(wordsOf(text), options)).toBeNull(),
  );

  it('a day that is asked back is not agreed to', () => {
    expect(read('is that a tuesday', { kind: 'date' }, 'Which day?', '2026-11-24')).toBe('unclear');
    expect(read('it is a tuesday', { kind: 'date' }, 'Which day?', '2026-11-24')).toBe('confirmed');
  });

  it.each([
    ["i'd say tennish", '10:00'],
    ['seven no hang on eight', '08:00'],
    ['seven hang on let me check', 'hold'],
    ['seven no hang on let me ask', 'hold'],
  ])('a time: %s: %s', (text, time) =>
    expect(read(text, { kind: 'time' }, 'At what time shall we come?')).toBe(time),
  );

  it.each([
    ['two couples', 'unclear'],
    ['three families', 'unclear'],
    ['a couple', '2'],
  ])('how many people: %s: %s', (text, count) =>
    expect(read(text, { kind: 'number', min: 1, max: 20 }, 'For how many people?')).toBe(count),
  );
});
