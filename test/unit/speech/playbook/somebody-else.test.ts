import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { interpret } from '../../../../src/speech/playbook/interpret.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function meaningOf(text: string, asked: string): string {
  const meaning = interpret(
    { text, confidence: 0.9 },
    { now, region: 'US', expectation: { kind: 'yes_no' }, asked, minConfidence: 0.5 },
  );
  if (meaning.kind === 'answer') return meaning.value;
  return meaning.kind === 'leaving' ? meaning.reason : meaning.kind;
}

describe('somebody else on the line', () => {
  it.each([
    'this is her husband',
    "you're speaking to her son",
    'her husband speaking',
    "I'm his sister",
    "she's not here",
    "he isn't in",
    'my wife is not at home',
    'this is her elder brother',
  ])('neither accepts nor declines for another: %s', (text) => {
    expect(meaningOf(text, 'Will you be able to come?')).toBe('unclear');
    expect(meaningOf(text, 'Am I talking to {{name}}?')).toBe('no');
    expect(meaningOf(text, 'Hello. Is this {{name}}?')).toBe('no');
  });

  it.each([
    ['this is her husband, yes she will come', 'yes'],
    ["she's not here but she will be there", 'yes'],
    ["this is her husband, she can't come", 'no'],
    ['yes this is her', 'yes'],
    ['this is she speaking', 'yes'],
  ])('may say what the other wants: %s', (text, answer) => {
    expect(meaningOf(text, 'Will you be able to come?')).toBe(answer);
  });

  it.each([
    'this is her husband, let me get her',
    "I'll get her",
    "I'll pass you over to my wife",
    "I'll put him on",
    'here she is',
    'let me get my daughter for you',
    'let me find a pen',
    'give me a sec',
    'bear with me',
    'let me check my calendar',
  ])('or a moment is waited for: %s', (text) => {
    expect(meaningOf(text, 'Will you be able to come?')).toBe('hold');
  });

  it.each(['there is nobody here by that name', "Ada doesn't live here", 'you want the wrong woman'])(
    'or it is the wrong number: %s',
    (text) => expect(meaningOf(text, 'Will you be able to come?')).toBe('wrong_number'),
  );
});

describe('no answer is', () => {
  it.each(["I don't speak English", 'no English'])('a language of another kind: %s', (text) => {
    expect(meaningOf(text, 'Will you be able to come?')).toBe('unclear');
  });

  it.each([
    'are you a bot',
    'is this AI',
    'am I talking to a computer',
    'who is asking',
    'how did you get my number',
  ])('asking who calls: %s', (text) => expect(meaningOf(text, 'Will you be able to come?')).toBe('who'));

  it.each(["you're breaking up", 'could you speak louder', 'say that slower please', "you're too fast"])(
    'asking for it again: %s',
    (text) => expect(meaningOf(text, 'Will you be able to come?')).toBe('repeat'),
  );
});
