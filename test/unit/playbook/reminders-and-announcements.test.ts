import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { mayBeOptOut } from '#playbook/contact-preferences/opt-out-doubt.js';
import { isOptOut } from '#playbook/understanding/requests.js';

const COMING = 'Will you come to your appointment tomorrow?';

describe('how an announcement says that calls may be refused', () => {
  const announced = [
    'press nine to opt out',
    'to be removed from this list press nine',
    'to be taken off our calling list at any time press the nine key',
    'it said press nine to opt out',
    'you said press nine to stop calling me',
    'reply stop to opt out',
    'to opt out of future calls dial star nine',
    'you can press nine to opt out of these calls',
  ];

  it.each(announced)('is no wish for it: %s', (text) => expect(isOptOut(text)).toBe(false));
  it.each([...announced, 'to unsubscribe press two now', 'i press nine to opt out and nothing happens'])(
    'is asked about: %s',
    (text) => expect(mayBeOptOut(wordsOf(text))).toBe(true),
  );

  it.each([
    'i pressed nine to opt out',
    'i already pressed nine to opt out and you still call',
    'i want to opt out so i press nine',
    'take me off your list or i press charges',
    'stop calling me or i text my lawyer',
    'please do not call me again text the office',
    'stop calling me say sorry',
  ])('is one where it was done, or something else is pressed: %s', (text) =>
    expect(isOptOut(text)).toBe(true),
  );
});

describe('somebody is to be told not to call', () => {
  const told = [
    'tell them not to call anymore',
    'tell them never to call me again',
    'tell the doctor not to call anymore',
    'please ask them not to call here anymore',
    'can you tell them not to ring this number again',
  ];

  it.each(told)('who that is, and for how long, is asked: %s', (text) => {
    expect(isOptOut(text)).toBe(false);
    expect(mayBeOptOut(wordsOf(text))).toBe(true);
  });

  it.each(told)('and no other question is answered: %s', (text) =>
    expect(readYesNo(wordsOf(text), {}, COMING)).toBeNull(),
  );

  it.each([
    'tell them not to call me today',
    'tell them not to call me now',
    'tell them not to call me at work',
    'tell them not to call me again before friday',
    'tell my mother not to call anymore',
    "i'll tell them not to call you anymore",
  ])('nothing is asked where that is plain, or no matter of ours: %s', (text) => {
    expect(isOptOut(text)).toBe(false);
    expect(mayBeOptOut(wordsOf(text))).toBe(false);
  });
});

describe('reminders', () => {
  const unwanted = [
    'drop me from the reminders',
    'take me off the reminders',
    'please get me off these reminders',
    "i don't want any more reminders",
    'no more reminders please',
    'stop the reminders',
    'please stop reminding me',
    'cancel the reminders',
  ];

  it.each(unwanted)('that are not wanted are asked about: %s', (text) => {
    expect(isOptOut(text)).toBe(false);
    expect(mayBeOptOut(wordsOf(text))).toBe(true);
  });

  it.each([
    ...unwanted,
    "i don't need any reminders",
    "i don't need any more reminders",
    'press two if you do not want to be called again',
  ])('are no answer to another question: %s', (text) =>
    expect(readYesNo(wordsOf(text), {}, COMING)).toBeNull(),
  );

  it('are one where they are asked for', () => {
    expect(readYesNo(wordsOf("i don't need any reminders"), {}, 'Shall we send you a reminder?')).toBe('no');
    expect(readYesNo(wordsOf("i don't need a reminder, i'll be there"), {}, COMING)).toBe('yes');
  });

  it('have a list, which is one of calls', () =>
    expect(isOptOut('take me off the reminder list')).toBe(true));

  it.each([
    "i don't need a reminder thanks",
    'thanks for the reminder',
    'no reminder needed',
    'take me off the waiting list',
    'take me off the reminder for tomorrow',
    "don't stop the reminders",
    "don't take me off the reminders",
  ])('are spared, or kept, without a question: %s', (text) => {
    expect(isOptOut(text)).toBe(false);
    expect(mayBeOptOut(wordsOf(text))).toBe(false);
  });
});
