import { describe, expect, it } from 'vitest';
import { ModelError } from '#dialogue/llm/language-model.js';
import { dialogueContract } from '#test/contracts/dialogue-manager.js';
import { settle } from '#test/support/fake-clock.js';
import { finish, text } from '#test/support/answering-model.js';
import { spokenIn, startModelTalk, type ModelTalk } from '#test/support/model-talks.js';

const DOWN = new ModelError('the model is away', {
  provider: 'scripted',
  failure: 'timeout',
  retryable: true,
});

dialogueContract('a language model', () => ({
  open: ({ initialMessage, variables }) =>
    startModelTalk({
      initialMessage,
      variables: { ...variables },
      answer: (_, index) => (index < 5 ? 'I see. Anything else?' : [DOWN]),
    }).dialogue,
}));

async function openedTalk(options: Parameters<typeof startModelTalk>[0] = {}): Promise<ModelTalk> {
  const talk = startModelTalk(options);
  await talk.turn({ kind: 'opening' });
  return talk;
}

describe('a talk with a model', () => {
  it('opens with the initial message, without the model', async () => {
    const talk = startModelTalk({ variables: { name: 'Ada' } });

    expect(await talk.turn({ kind: 'opening' })).toEqual([
      { kind: 'say', text: 'Hello Ada, this is the clinic.', interruptible: true },
      { kind: 'listen', hints: { kind: 'anything' } },
    ]);
    expect(talk.model.requests).toEqual([]);
  });

  it('gives the model what was said, and speaks its text as it comes', async () => {
    const talk = await openedTalk({ answer: () => [text('We have'), text(' **Tuesday**. '), finish] });

    const outputs = await talk.hear('when can I come');

    expect(outputs.map(({ kind }) => kind)).toEqual(['text_delta', 'text_delta', 'listen']);
    expect(spokenIn(outputs)).toBe('We have Tuesday.');
    expect(talk.model.requests[0]?.messages).toEqual([
      { role: 'user', text: '(The call begins.)' },
      { role: 'assistant', text: 'Hello there, this is the clinic.', toolCalls: [] },
      { role: 'user', text: 'when can I come' },
    ]);
  });

  it('says once that there is something to wait for', async () => {
    const talk = await openedTalk({ answer: () => [4_000, text('Here I am.'), finish] });
    const outputs = talk.hear('are you quick');
    await talk.clock.advance(4_000);

    expect(spokenIn(await outputs)).toBe('One moment. Here I am.');
  });

  it('apologises and fails the call when the model does not answer', async () => {
    const talk = await openedTalk({ answer: () => [DOWN] });

    const outputs = await talk.hear('when can I come');

    expect(spokenIn(outputs)).toMatch(/^I am sorry, I have a technical problem/);
    expect(outputs.at(-1)).toEqual({ kind: 'end', error: DOWN });
    expect(talk.reports.models).toMatchObject([{ failure: 'the model is away', inputTokens: null }]);
  });

  it('never waits for ever for a model', async () => {
    const talk = await openedTalk({ answer: () => [text('Let me'), 600_000] });
    const outputs = talk.hear('when can I come');
    await talk.clock.advance(21_000);

    expect((await outputs).at(-1)?.kind).toBe('listen');
  });

  it('lets what was said of a broken answer stand, once', async () => {
    const talk = await openedTalk({ answer: () => [text('On Tuesday we have'), DOWN] });

    expect((await talk.hear('when')).at(-1)).toEqual({ kind: 'listen', hints: { kind: 'anything' } });
    expect((await talk.hear('sorry, when')).at(-1)).toMatchObject({ kind: 'end', error: DOWN });
  });

  it('takes an answer without its end for a broken one', async () => {
    const talk = await openedTalk({ answer: () => [] });

    expect((await talk.hear('when can I come')).at(-1)).toMatchObject({ kind: 'end' });
  });

  it('says goodbye after sixty turns', async () => {
    const talk = await openedTalk();
    const ends: number[] = [];
    for (let turn = 1; turn <= 61; turn++) {
      const outputs = await talk.hear('tell me something about the weather');
      if (outputs.at(-1)?.kind === 'end') ends.push(turn);
    }
    expect(ends).toEqual([61]);
  });

  it('is never mute', async () => {
    const talk = await openedTalk({ answer: () => [text('🙂'), finish] });

    expect(spokenIn(await talk.hear('tell me a joke'))).toBe('Sorry, I did not catch that.');
  });
});

describe('the history', () => {
  const lastRequest = (talk: ModelTalk) => talk.model.requests.at(-1)!.messages;

  it('holds of a cut turn what was heard', async () => {
    const talk = await openedTalk({ answer: () => 'We are open on Monday, on Tuesday and on Friday.' });
    await talk.hear('when are you open');
    talk.dialogue.note({ kind: 'interrupted', heard: 'We are open on Monday,' });
    await talk.hear('and on Sunday');

    expect(lastRequest(talk).slice(2)).toEqual([
      { role: 'user', text: 'when are you open' },
      { role: 'assistant', text: 'We are open on Monday,', toolCalls: [] },
      { role: 'user', text: 'and on Sunday' },
    ]);
  });

  it('joins what the caller said around a turn that was not heard', async () => {
    const talk = await openedTalk();
    await talk.hear('when are you open');
    talk.dialogue.note({ kind: 'interrupted', heard: '' });
    await talk.hear('I mean on Sunday');

    expect(lastRequest(talk).at(-1)).toEqual({ role: 'user', text: 'when are you open\nI mean on Sunday' });
  });

  it('forgets a turn that was taken back', async () => {
    const talk = await openedTalk();
    await talk.hear('I would like');
    talk.dialogue.note({ kind: 'interrupted', heard: '' });
    talk.dialogue.note({ kind: 'taken_back' });
    await talk.hear('I would like to come on Sunday');

    expect(lastRequest(talk).slice(2)).toEqual([{ role: 'user', text: 'I would like to come on Sunday' }]);
  });

  it('is cut by whole turns where it grows too long', async () => {
    const talk = await openedTalk({
      settings: { temperature: null, maxOutputTokens: null, reasoningEffort: null, maxContextTokens: 60 },
      answer: () => 'That is a long answer, which takes some room in the context.',
    });
    for (const question of ['first question', 'second question', 'third question']) await talk.hear(question);

    const messages = lastRequest(talk);
    expect(messages[0]).toMatchObject({ role: 'user', text: expect.stringContaining('left out') });
    expect(JSON.stringify(messages)).not.toContain('first question');
    expect(messages.at(-1)).toMatchObject({ text: expect.stringContaining('third question') });
  });

  it('holds what was said over the agent', async () => {
    const talk = await openedTalk();
    await talk.hear('when can I come');
    talk.dialogue.note({ kind: 'overheard', transcript: { text: 'with my dog', confidence: 0.9 } });
    await talk.hear('please');

    expect(lastRequest(talk).at(-1)).toEqual({ role: 'user', text: 'with my dog\nplease' });
  });
});

describe('what callers have a right to', () => {
  it.each([
    ['do not call me again', 'I understand. I am sorry for the disturbance. Goodbye.'],
    ['goodbye', 'Thank you for your time. Goodbye.'],
    ['you have the wrong number', 'I am sorry, I have the wrong number. Goodbye.'],
  ])('"%s" ends the call without the model', async (said, answer) => {
    const talk = await openedTalk();
    const outputs = await talk.hear(said);

    expect(spokenIn(outputs)).toBe(answer);
    expect(outputs.at(-1)).toEqual({ kind: 'end' });
    expect(talk.model.requests).toEqual([]);
  });

  it.each([
    ['can I speak to a person please', 'I am sorry, there is nobody here but me, an automatic assistant.'],
    ['hold on a second', 'Of course, take your time.'],
    ['who is this', 'Hello there, this is the clinic.'],
    ['', 'Sorry, I did not catch that.'],
  ])('"%s" is answered without the model', async (said, answer) => {
    const talk = await openedTalk();
    const outputs = await talk.hear(said);

    expect(spokenIn(outputs)).toBe(answer);
    expect(outputs.at(-1)?.kind).toBe('listen');
    expect(talk.model.requests).toEqual([]);
  });

  it('keeps that no more calls are wanted', async () => {
    const talk = await openedTalk();
    await talk.hear('take me off your list');

    expect(talk.dialogue.outcome()).toMatchObject({
      intent: 'do_not_call',
      followUp: { kind: 'suppress' },
    });
  });

  it('asks where it is in doubt, and believes a yes', async () => {
    const talk = await openedTalk();

    expect(spokenIn(await talk.hear('cut it out with these robot calls'))).toMatch(/^Do you want us to stop/);
    expect((await talk.hear('yes')).at(-1)).toEqual({ kind: 'end' });
    expect(talk.dialogue.outcome().followUp).toEqual({ kind: 'suppress' });
  });

  it('asks where it is in doubt, and goes on after a no', async () => {
    const talk = await openedTalk();
    await talk.hear('cut it out with these robot calls');

    expect(spokenIn(await talk.hear('no'))).toBe('All right.');
    expect(talk.dialogue.outcome().followUp).toBeUndefined();
  });

  it('answers what stands before a goodbye, and ends', async () => {
    const talk = await openedTalk({ answer: () => 'Booked for Tuesday.' });
    const outputs = await talk.hear('book me in for Tuesday then, goodbye');

    expect(spokenIn(outputs)).toBe('Booked for Tuesday. Thank you for your time. Goodbye.');
    expect(outputs.at(-1)).toEqual({ kind: 'end' });
  });

  it('connects who wants a person, where there is one', async () => {
    const toolbox = { offered: [], transferTo: { to: '+14155550100' }, run: () => expect.unreachable() };
    const talk = await openedTalk({ toolbox });
    const outputs = await talk.hear('can I speak to a person please');

    expect(outputs.at(-1)).toEqual({ kind: 'transfer', to: '+14155550100' });
    expect(spokenIn(await talk.turn({ kind: 'transfer_failed' }))).toBe(
      'I am sorry, I could not connect you.',
    );
  });

  it('sums the talk up for a person who takes it over, and speaks to a caller who comes back', async () => {
    const talk = await openedTalk({ answer: () => [text('Anna wants a cake.'), finish] });
    await talk.hear('a cake please');

    expect(await talk.dialogue.sumUp(new AbortController().signal)).toBe('Anna wants a cake.');
    expect(spokenIn(await talk.turn({ kind: 'returned' }))).toMatch(/^I am back with you/);
  });

  it('introduces itself to who comes to the phone behind a screening service', async () => {
    const talk = await openedTalk();
    talk.dialogue.note({ kind: 'screened' });

    expect(spokenIn(await talk.hear('yes hello'))).toBe('Hello there, this is the clinic.');
  });

  it('ends a call in which nothing is understood', async () => {
    const talk = await openedTalk();
    const ends = [];
    for (let turn = 0; turn < 4; turn++) ends.push((await talk.hear('')).at(-1)?.kind);

    expect(ends).toEqual(['listen', 'listen', 'listen', 'end']);
  });
});

it('leaves no timer behind', async () => {
  const talk = await openedTalk({ answer: () => [3_000, text('Well.'), finish] });
  const abort = new AbortController();
  const outputs = talk.turn({ kind: 'heard', transcript: { text: 'well', confidence: 1 } }, abort.signal);
  await settle();
  abort.abort();

  expect(await outputs).toEqual([]);
  expect(talk.clock.armed).toBe(0);
});
