import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { interpret } from '#playbook/understanding/interpret.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function meaningOf(
  text: string,
  kind: PlaybookExpectation['kind'] = 'yes_no',
  pending: string | null = null,
) {
  const expectation = { kind } as PlaybookExpectation;
  const meaning = interpret(
    { text, confidence: 0.9 },
    { now, region: 'US', expectation, pending, asked: 'Will you be able to come?', minConfidence: 0.5 },
  );
  if (meaning.kind === 'answer') return meaning.value;
  return meaning.kind === 'leaving' ? meaning.reason : meaning.kind;
}

describe('a wrong number that is spoken of', () => {
  it.each([
    'I gave you the wrong number',
    'I must have given you the wrong number',
    'I left a message with the wrong number',
    'I wrote down the wrong number',
    'they sent the wrong person last time',
    'I was put through to the wrong person',
    'they delivered it to the wrong house',
    'you have the wrong number for my account',
    'you have the wrong number on file',
    'my son called the wrong number',
    'I called the wrong number this morning',
    'it was the wrong number',
  ])('ends no call, and answers nothing: %s', (text) => expect(meaningOf(text)).toBe('unclear'));

  it.each([
    ['that is the wrong number for my account', 'no'],
    ['no, he went to the wrong house', 'no'],
    ['yes, but I gave you the wrong number', 'unclear'],
  ])('leaves what is said besides: %s', (text, meaning) => expect(meaningOf(text)).toBe(meaning));

  it('may be the one that is asked for, or said back', () => {
    expect(meaningOf("that's the wrong number, it's four", 'number')).toBe('4');
    expect(meaningOf('sorry, I told you the wrong number', 'phone_number')).toBe('unclear');
    expect(meaningOf("that's the wrong number", 'phone_number', '+14155552671')).toBe('denied');
    expect(meaningOf("no, that's the wrong number", 'number', '4')).toBe('denied');
  });
});

describe('a call to the wrong number', () => {
  it.each([
    'wrong number',
    'sorry, wrong number mate',
    'you have the wrong number',
    "I think you've got the wrong number",
    'you must have dialled the wrong number',
    'this is the wrong number',
    "that's the wrong number",
    'no, this is a wrong number',
    'somebody gave you the wrong number',
    'they must have given you the wrong number',
    'you keep calling the wrong number',
    'you have the wrong number for her',
    "you're talking to the wrong person",
    'I think I dialled the wrong number',
    "I've got the wrong number, sorry",
    'you have reached the wrong person',
    'I told you, wrong number',
  ])('is over: %s', (text) => {
    expect(meaningOf(text)).toBe('wrong_number');
    expect(meaningOf(text, 'date')).toBe('wrong_number');
  });
});
