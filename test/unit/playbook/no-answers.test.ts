import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { readChoice } from '#playbook/answers/choice.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { leavingIn } from '#playbook/understanding/requests.js';
import { readValue } from '#playbook/values/value.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
const read = (text: string, asked: string) => readYesNo(wordsOf(text), {}, asked);

describe('"go on"', () => {
  it.each([
    "i'm driving but go on",
    "i'm at work but go ahead",
    'go on then',
    'carry on i am listening',
    'no no go ahead',
    'no i go on holiday tomorrow',
  ])('tells nothing of what only the caller knows: %s', (text) => {
    expect(read(text, 'Will you come to your appointment tomorrow?')).toBeNull();
    expect(read(text, 'Have you paid the invoice?')).toBeNull();
    expect(read(text, 'Did you have any problems?')).toBeNull();
  });

  it.each([
    'Do you have a minute?',
    'Have you got time for three questions?',
    'Is this a good time?',
    'Would you like us to move it?',
    'May I ask you something?',
    'Are you ready to begin?',
  ])('grants what it can: %s', (asked) => expect(read("i'm driving but go on", asked)).toBe('yes'));

  it('leaves a yes beside it', () =>
    expect(read('yes go ahead', 'Will you come to your appointment tomorrow?')).toBe('yes'));
});

describe('a thing that was the wrong one', () => {
  it.each([
    ['i have paid the wrong amount', 'Have you paid the invoice?'],
    ['yes but to the wrong account', 'Have you paid the invoice?'],
    ['the wrong one came', 'Have you received the parcel?'],
    ['that is the wrong day', 'Will you come on Tuesday?'],
  ])('leaves open what was asked: %s', (text, asked) => expect(read(text, asked)).toBeNull());

  it.each([
    ['no', 'Have you paid the invoice?'],
    ["no, that's wrong", 'Have you paid the invoice?'],
    ["that's the wrong day", 'Is that right?'],
    ['the wrong one', 'Did you get the right parcel?'],
    ['nothing went wrong', 'Did you have any problems?'],
    ["couldn't fault it", 'Did you have any problems?'],
  ])('is a no where it denies it: %s', (text, asked) => expect(read(text, asked)).toBe('no'));

  it.each(['something went wrong', 'i got the wrong size'])('is a problem: %s', (text) =>
    expect(read(text, 'Did you have any problems?')).toBe('yes'),
  );
});

describe('"Will you come?"', () => {
  it.each([
    "i wasn't going to but now i can",
    "i don't want to but i will",
    "please don't ring so early",
    'no speak english',
  ])('is not answered by: %s', (text) => expect(read(text, 'Will you come tomorrow?')).toBeNull());

  it.each([
    ["i'm planning to", 'yes'],
    ["that's the plan", 'yes'],
    ["i'm afraid something has come up", 'no'],
  ])('%s: %s', (text, answer) => expect(read(text, 'Will you come tomorrow?')).toBe(answer));

  it('is answered by who drives and comes', () => {
    const meaning = (text: string) => leavingIn(wordsOf(text), { isFreeSpeech: false })?.meaning;
    expect(meaning("yes i'm driving but i'll be there")).toBeUndefined();
    expect(meaning("i can't really talk right now")).toBe('later');
    expect(meaning("i can't really talk about that")).toBeUndefined();
  });
});

describe('a choice', () => {
  const options = ['card', 'bank transfer', 'cash'].map((value) => ({ value, phrases: [] }));
  it.each([
    ['i lost my card', null],
    ['i lost my card so cash', 'cash'],
    ["what's a bank transfer", null],
    ['last time i paid by card this time cash', 'cash'],
  ])('%s: %s', (text, value) => expect(readChoice(wordsOf(text), options)).toBe(value));
});

it.each([
  ["tomorrow's good", '2026-11-22'],
  ["let me see today's saturday so wednesday", '2026-11-25'],
  ["today is saturday isn't it", null],
  ['did you say tuesday', null],
])('a day: %s: %s', (text, day) =>
  expect(readValue(text, { kind: 'date' }, { now, region: 'US', asked: 'Which day suits you?' })).toBe(day),
);
