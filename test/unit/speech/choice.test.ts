import { describe, expect, it } from 'vitest';
import { readChoice } from '#playbook/answers/choice.js';
import { wordsOf } from '#language/words.js';

const TIMES = [
  { value: 'morning', phrases: ['in the morning', 'before noon', 'early'] },
  { value: 'afternoon', phrases: ['after lunch', 'afternoon', 'later'] },
  { value: 'early_evening', phrases: ['evening', 'early evening', 'after work'] },
];

describe('reading a choice', () => {
  it.each([
    ['Morning, please.', 'morning'],
    ['The morning', 'morning'],
    ['I think before noon would be best', 'morning'],
    ['rather in the afternoon', 'afternoon'],
    ['early evening', 'early_evening'],
    ['early', 'morning'],
    ['Not the morning, the afternoon.', 'afternoon'],
    ["I can't do the morning, so the evening", 'early_evening'],
    ['The morning is not good, the afternoon', 'afternoon'],
    ['In the morning. No, wait, after lunch.', 'afternoon'],
    ['The afternoon is better than the morning.', 'afternoon'],
    ['the first one', 'morning'],
    ['option two', 'afternoon'],
    ['the last one please', 'early_evening'],
    ['the second', 'afternoon'],
    ['the first of those please', 'morning'],
    ['the second I think', 'afternoon'],
    // What is no position among the options.
    ['hold on a second', null],
    ['let me think a second', null],
    ['just one second please', null],
    ['first of all I have a question', null],
    ['like the last time', null],
    ['at the third attempt it worked', null],
    ['Morning or afternoon', null],
    ['not in the morning', null],
    ['not in the morning or in the afternoon', null],
    ['not in the morning or in the afternoon, in the evening', 'early_evening'],
    ['on Monday', null],
    ['the fourth one', null],
    ['', null],
  ])('%s → %s', (text, value) => {
    expect(readChoice(wordsOf(text), TIMES)).toBe(value);
  });
});
