import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { mayBeOptOut } from '#playbook/contact-preferences/opt-out-doubt.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { wordsOf } from '#language/words.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
const meaningOf = (text: string) =>
  interpret(
    { text, confidence: 0.9 },
    {
      now,
      region: 'US',
      asked: 'Will you come to your appointment on Tuesday?',
      called: 'Ada Lovelace',
      expectation: { kind: 'yes_no' },
      minConfidence: 0.3,
    },
  );

describe('no more calls', () => {
  it.each([
    'stop fucking calling me',
    'leave me the hell alone',
    "don't bloody call me again",
    'I want you people to stop calling me',
    "don't ever call me, I'll call you",
    'I told her please stop calling',
  ])('is said: %s', (text) => expect(isOptOut(text)).toBe(true));

  it.each([
    'I want my ex to stop calling me',
    'stop calling me Robert, it is Bob',
    "don't call me Sarah",
    'stop the bloody clock',
  ])('is not said, and not to be asked about: %s', (text) => {
    expect(isOptOut(text)).toBe(false);
    expect(mayBeOptOut(wordsOf(text))).toBe(false);
  });

  it.each(['cease and desist', 'can I opt out of these reminders'])(
    'may be meant, and is asked about: %s',
    (text) => {
      expect(isOptOut(text)).toBe(false);
      expect(mayBeOptOut(wordsOf(text))).toBe(true);
    },
  );

  it.each(['can I opt out of the lunch', 'I did not ask you to stop calling'])('is no doubt: %s', (text) =>
    expect(mayBeOptOut(wordsOf(text))).toBe(false),
  );
});

describe('another call', () => {
  it.each([
    ['can you ring tomorrow morning instead', '2026-11-22T10:00'],
    ['could you possibly ring later on today', '2026-11-21T13:30'],
    ["don't call tomorrow call on monday", '2026-11-23T12:30'],
    ['this is a bad time call me tomorrow', '2026-11-22T12:30'],
    ['this is a bad time try again in ten minutes', '2026-11-21T12:40'],
    ['can you try in forty five minutes', '2026-11-21T13:15'],
    ['I want you to call back tomorrow', '2026-11-22T12:30'],
  ])('%s: %s', (text, moment) => {
    const meaning = meaningOf(text);
    expect(meaning.kind === 'leaving' && meaning.reason).toBe('later');
    expect(meaning.kind === 'leaving' && meaning.moment?.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(moment);
  });

  it('may be wanted at a time that has to be asked for', () =>
    expect(meaningOf('wait till tomorrow and call me then')).toEqual({
      kind: 'leaving',
      reason: 'later',
      moment: null,
    }));

  it.each([
    'I have a call on Tuesday',
    "I'll try again tomorrow",
    'they call on Monday',
    'I have a call later',
    'I was going to call tomorrow',
    'is the nurse going to call me at three',
    "I'm driving so make it quick",
  ])('is none: %s', (text) => expect(meaningOf(text).kind).not.toBe('leaving'));
});

describe('something else than an answer', () => {
  it.each([
    ["what's this regarding", 'who'],
    ['is this a real person', 'who'],
    ['sorry I missed that', 'repeat'],
    ['slow down please', 'repeat'],
    ['hello is anybody there', 'repeat'],
    ['agent', 'person'],
    ['let me speak to your manager', 'person'],
    ['my agent handles it', 'unclear'],
    ['person', 'unclear'],
  ])('%s: %s', (text, kind) => expect(meaningOf(text).kind).toBe(kind));
});

it('is an answer where the question has such an option', () => {
  const options = ['agent', 'owner'].map((value) => ({ value, phrases: [] }));
  const reading = { now, region: 'US' as const, expectation: { kind: 'choice' as const, options } };
  expect(interpret({ text: 'an agent', confidence: 0.9 }, { ...reading, minConfidence: 0.3 })).toEqual({
    kind: 'answer',
    value: 'agent',
    leaving: false,
  });
});
