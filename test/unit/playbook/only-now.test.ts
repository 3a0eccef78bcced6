import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { mayBeOptOut } from '#playbook/contact-preferences/opt-out-doubt.js';
import { isOptOut } from '#playbook/understanding/requests.js';

describe('a wish that may only be meant of the present', () => {
  it.each([
    "I'm driving, don't call me",
    "sorry, I'm driving, please don't call",
    "we are at a funeral, please don't call",
    "I'm in a meeting, don't call me now please",
  ])('is none for ever: %s', (text) => expect(isOptOut(text)).toBe(false));

  it.each(["I'm driving, don't call me", "we are at a funeral, please don't call"])(
    'but is asked about: %s',
    (text) => expect(mayBeOptOut(wordsOf(text))).toBe(true),
  );

  it.each([
    "no need to call again, I'll be there",
    "there's no need to ring me again, I'll remember",
    'no need to phone again, thank you, I know the date',
  ])('is none where it only spares a call: %s', (text) => expect(isOptOut(text)).toBe(false));

  it.each([
    "I'm driving, don't call me again",
    "I'm at work, don't ever call me",
    "don't call me",
    "please don't call",
    "I am not interested, don't call me",
    "I'm driving, stop calling me",
    'no need to call again',
    'there is no need to call me again, thank you',
    'no reason to call again',
  ])('is one where it says so: %s', (text) => expect(isOptOut(text)).toBe(true));
});

it.each(['sorry no, I can, I can', 'no, no, I will'])(
  'an answer that takes its no back is asked again: %s',
  (text) => expect(readYesNo(wordsOf(text))).toBeNull(),
);

it('"never better" praises', () => {
  expect(readYesNo(wordsOf('never better'), {}, 'Will you be able to come?')).toBeNull();
  expect(readYesNo(wordsOf('never'), {}, 'Will you be able to come?')).toBe('no');
});
