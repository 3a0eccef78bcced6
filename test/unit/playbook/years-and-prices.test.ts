import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readValue } from '#playbook/values/value.js';

type NumberLimits = Omit<Extract<PlaybookExpectation, { kind: 'number' }>, 'kind'>;

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function read(text: string, asked: string | null, limits: NumberLimits = {}) {
  const value = readValue(text, { kind: 'number', ...limits }, { now, region: 'US', asked });
  return value === NOT_POSSIBLE ? 'not possible' : value;
}

const IN_CENTS = { whole: false };

describe('an amount of money', () => {
  it.each([
    ['nineteen ninety', '19.9'],
    ['nineteen ninety nine', '19.99'],
    ['twenty twenty six', '20.26'],
    ['twelve fifty', '12.5'],
    ['twelve oh five', '12.05'],
    ['forty five ninety', '45.9'],
    ["it's nineteen ninety I think", '19.9'],
    ['nineteen ninety, no, twenty', '20'],
    ['nineteen hundred and ninety', '1990'],
    ['two thousand and five', '2005'],
    ['1990', '1990'],
    ['five dollars fifty', '5.5'],
    ['twenty pounds and ten pence', '20.1'],
    ['nineteen dollars ninety', '19.9'],
    ['twenty dollars', '20'],
    ['fifty cents', '0.5'],
    ['twenty thirty dollars', null],
    ['ten, fifteen', null],
    ['twenty twenty', null],
    ['two fifty', null],
    ['twenty dollars, thirty dollars', null],
  ])('%s is %s', (text, value) => {
    expect(read(text, 'How much did you pay?', IN_CENTS)).toBe(value);
    expect(read(text, 'What is the amount on the bill?', IN_CENTS)).toBe(value);
  });

  it('that is told as a year, of whole ones, is asked for again', () => {
    expect(read('nineteen ninety', 'How much is the rent?')).toBeNull();
    expect(read('nineteen ninety dollars', 'What is it?')).toBeNull();
  });

  it('is what the question takes of the two', () => {
    expect(read('nineteen ninety', 'How much is the rent?', { ...IN_CENTS, min: 100 })).toBe('1990');
    expect(read('nineteen ninety', 'How much is it?', { ...IN_CENTS, max: 100 })).toBe('19.9');
  });
});

describe('a year', () => {
  it.each([
    ['nineteen ninety', '1990'],
    ['twenty twenty', '2020'],
    ['nineteen oh five', '1905'],
    ['nineteen hundred', '1900'],
  ])('%s is %s', (text, value) => {
    for (const asked of ['What year was it?', 'In which year were you born?', 'What year did you pay it?'])
      for (const limits of [{}, IN_CENTS, { min: 1900, max: 2100 }])
        expect(read(text, asked, limits)).toBe(value);
  });
});

describe('a number of a question that does not tell its unit', () => {
  it.each([null, 'What is it?', 'What does the meter say?'])(
    'may be either, where it takes both: %s',
    (asked) => {
      expect(read('nineteen ninety', asked, IN_CENTS)).toBeNull();
      expect(read('nineteen ninety dollars', asked, IN_CENTS)).toBe('19.9');
      expect(read('nineteen ninety', asked)).toBe('1990');
      expect(read('nineteen ninety', asked, { ...IN_CENTS, min: 1000 })).toBe('1990');
      expect(read('two thousand and six', asked, IN_CENTS)).toBe('2006');
      expect(read('nineteen', asked, IN_CENTS)).toBe('19');
    },
  );
});
