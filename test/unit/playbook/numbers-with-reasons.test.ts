import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-step.js';
import { interpret } from '#playbook/understanding/interpret.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
const GUESTS: PlaybookExpectation = { kind: 'number', min: 1, max: 20 };
const RATING: PlaybookExpectation = { kind: 'number', min: 0, max: 10 };
const HOW_LIKELY = 'On a scale of zero to ten, how likely are you to recommend us?';
const HOW_MANY = 'For how many people?';

function read(text: string, expectation: PlaybookExpectation, asked: string, pending: string | null = null) {
  const meaning = interpret(
    { text, confidence: 0.9 },
    { expectation, asked, pending, now, region: 'US', minConfidence: 0.5 },
  );
  return 'value' in meaning ? meaning.value : meaning.kind;
}

describe('what is said to four, read back', () => {
  it.each([
    ['one more', '5'],
    ['actually one more please', '5'],
    ['make it one more', '5'],
    ['plus one', '5'],
    ['and another one', '5'],
    ['an extra two', '6'],
    ['one more than that', '5'],
    ['one less', '3'],
    ['two fewer', '2'],
    ['thirty more', 'not_possible'],
    ['a couple more', 'unclear'],
    ['four plus one', 'unclear'],
    ['no one more', 'unclear'],
    ['one more time please', 'unclear'],
    ['one more minute', 'unclear'],
    ['no four and a baby', 'denied'],
    ['no five more or less', '5'],
  ])('%s: %s', (text, meaning) => expect(read(text, GUESTS, HOW_MANY, '4')).toBe(meaning));
});

describe('"one more"', () => {
  it('is none where nothing was told before', () =>
    expect(read('one more', GUESTS, HOW_MANY)).toBe('unclear'));
  it('is one to a question of how many more', () =>
    expect(read('two more', GUESTS, 'How many more guests will there be?')).toBe('2'));
});

describe('a rating', () => {
  it.each([
    ['two out of three visits were good so eight', '8'],
    ['four out of five so eight', '8'],
    ['nine out of ten times it was fine so a nine', '9'],
    ['eight out of ten', '8'],
    ['out of ten eight', '8'],
    ['i never give tens so nine', '9'],
    ['nobody gets a ten from me so nine', '9'],
    ["i've been a customer for ten years so nine", '9'],
    ['i waited two hours so three', '3'],
    ['my two kids loved it so ten', '10'],
    ["zero i wouldn't recommend you to my worst enemy", '0'],
  ])('is what is concluded: %s', (text, value) => expect(read(text, RATING, HOW_LIKELY)).toBe(value));

  it.each([
    'four out of five',
    'five stars',
    'nine out of ten times it was fine',
    'i waited two hours so not a ten',
    'did you say ten',
  ])('is asked for again: %s', (text) => expect(read(text, RATING, HOW_LIKELY)).toBe('unclear'));

  it('has stars where it is asked for in stars', () =>
    expect(read('five stars', RATING, 'How many stars of ten do you give us?')).toBe('5'));
});

describe('how many come', () => {
  it.each([
    ['i have two kids so four', '4'],
    ['two adults and two kids so four', '4'],
    ['four and a window table please', '4'],
    ['four and my wife', 'unclear'],
    ['three or four not sure yet', 'unclear'],
  ])('%s: %s', (text, meaning) => expect(read(text, GUESTS, HOW_MANY)).toBe(meaning));
});

it.each([
  ["i can't do monday so tuesday", '2026-11-24'],
  ['monday or tuesday is no good', 'unclear'],
  ["it's not so good on tuesday", 'unclear'],
])('a day is what is concluded: %s: %s', (text, meaning) =>
  expect(read(text, { kind: 'date' }, 'Which day suits you?')).toBe(meaning),
);
