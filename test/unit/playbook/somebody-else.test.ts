import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { CallMemory } from '#playbook/talk/call-memory.js';
import { defaultPlaybook } from '#playbook/book/default-playbook.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import type { AgentBrief } from '#dialogue/dialogue-manager.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function meaningOf(text: string, asked: string, called: string | null = null): string {
  const meaning = interpret(
    { text, confidence: 0.9 },
    { now, region: 'US', expectation: { kind: 'yes_no' }, asked, called, minConfidence: 0.5 },
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
    "I'm not Ada",
    "this isn't Ada",
    "no, I'm not Ada Lovelace",
    "no sorry this isn't Mrs Lovelace",
    "it's not Miss Lovelace",
    "I'm not her",
    "I'm not Peter",
    'no, this is not Mary Miller',
    "you're not talking to Ada",
    "that's not the person you are talking to",
    'no, this is her husband',
    "no, she's not here",
  ])('does not decline for another with it: %s', (text) => {
    expect(meaningOf(text, 'Will you be able to come?', 'Ada Lovelace')).toBe('unclear');
    expect(meaningOf(text, 'Am I talking to Ada Lovelace?', 'Ada Lovelace')).toBe('no');
  });

  it.each([
    ["I'm not coming", 'no'],
    ["I'm not able to come", 'no'],
    ["this isn't a good time", 'no'],
    ["I'm not Peter and I'm not coming", 'no'],
    ["I'm not Ada, she can't come", 'no'],
    ["I'm not Ada but yes she will come", 'yes'],
    ["no, I'm not free", 'no'],
  ])('and who speaks for themselves does: %s', (text, answer) => {
    expect(meaningOf(text, 'Will you be able to come?', 'Ada Lovelace')).toBe(answer);
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

describe('whoever a call is for', () => {
  const answersOf = async (brief: Partial<AgentBrief>) => {
    const session = createPlaybooks().open(briefOf({ playbook: defaultPlaybook, ...brief }));
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    for (const text of ['yes', "I'm not Ada"])
      await thoughtsOf(session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed));
    return session.outcome().answers;
  };

  it.each(['name', 'first_name', 'customer_name'])('is known by the variable %s', async (key) => {
    expect(await answersOf({ variables: { [key]: 'Ada Lovelace' } })).toEqual({ good_time: 'yes' });
  });

  it('is no day or place that the opening message names', async () => {
    const initialMessage = 'Hello Ada, this is the clinic in London about your visit on Monday.';
    const { called } = new CallMemory(briefOf({ initialMessage }));
    expect(called).toBe('Ada');
    expect(meaningOf("no, it's not Monday", 'Is your visit on Monday?', called)).toBe('no');
    expect(meaningOf("I'm not Ada", 'Will you come?', called)).toBe('unclear');
  });

  it('is known by the opening message', async () => {
    expect(await answersOf({ initialMessage: 'Good morning Ada, this is the clinic.' })).toEqual({
      good_time: 'yes',
    });
  });
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
