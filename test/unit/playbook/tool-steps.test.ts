import { describe, expect, it } from 'vitest';
import { callOf, finish, type ScriptedAnswer } from '#test/support/answering-model.js';
import { BOOK, FIND_SLOT } from '#test/support/clinic-tools.js';
import { settle } from '#test/support/fake-clock.js';
import { spokenIn } from '#test/support/model-talks.js';
import { startPlaybookTalk } from '#test/support/playbook-talks.js';

describe('tool and press steps', () => {
  const menu = {
    start: 'menu',
    steps: {
      menu: {
        kind: 'press',
        wait_for: ['press two', 'for appointments'],
        keys: '2w{{account}}#',
        after_ms: 900,
        max_seconds: 30,
        otherwise: 'away',
        next: 'greet',
      },
      greet: { kind: 'end', text: 'Hello.' },
      away: { kind: 'end', text: 'Nobody.' },
    },
  };

  it('waits for the words of a menu, presses, and goes on when the other end speaks', async () => {
    const talk = startPlaybookTalk({ playbook: menu, variables: { account: '12-34' } });

    expect((await talk.open()).map(({ kind }) => kind)).toEqual(['listen']);
    expect((await talk.hear('welcome to the clinic')).map(({ kind }) => kind)).toEqual(['listen']);
    expect(await talk.hear('for sales press one, for appointments press two')).toMatchObject([
      { kind: 'press', keys: 'ww2w1234#' },
      { kind: 'listen' },
    ]);
    expect(spokenIn(await talk.hear('please hold'))).toBe('Hello.');
  });

  it('asks a menu nothing whose words may be an opt-out, so that a later yes is none', async () => {
    const talk = startPlaybookTalk({ playbook: menu, variables: { account: '1' } });
    await talk.open();

    expect(await talk.hear('for appointments press two, to be taken off our list press three')).toMatchObject(
      [{ kind: 'press', keys: 'ww2w1#' }, { kind: 'listen' }],
    );
    expect(spokenIn(await talk.hear('yes'))).toBe('Hello.');
    expect(talk.dialogue.outcome().followUp).not.toEqual({ kind: 'suppress' });
  });

  it('gives up on a menu that does not come', async () => {
    const talk = startPlaybookTalk({ playbook: menu, variables: { account: '1' } });
    await talk.open();
    await talk.clock.advance(31_000);

    expect(spokenIn(await talk.turn({ kind: 'silence', prompts: 1 }))).toBe('Nobody.');
  });

  it.each([
    ['is away', { status: 500, body: '' }],
    ['does not take its arguments', null],
  ])('takes on_error when the tool %s', async (_, answer) => {
    const playbook = {
      start: 'run',
      steps: {
        run: {
          kind: 'tool',
          tool: 'book',
          with: answer ? { day: 'x' } : {},
          on_error: 'failed',
          next: 'done',
        },
        failed: { kind: 'end', text: 'It failed.' },
        done: { kind: 'end', text: 'Done.' },
      },
    };
    const talk = startPlaybookTalk({
      playbook,
      tools: [BOOK],
      answer: null,
      send: () => Promise.resolve(answer ?? { status: 200, body: '{}' }),
    });

    expect(spokenIn(await talk.open())).toBe('It failed.');
    expect(talk.sent).toHaveLength(answer ? 1 : 0);
  });

  it('hears a caller who may want no more calls while a tool runs', async () => {
    const playbook = {
      start: 'run',
      steps: {
        run: { kind: 'tool', tool: 'book', with: { day: 'x' }, on_error: 'end', next: 'end' },
        end: { kind: 'end', text: 'Goodbye.' },
      },
    };
    const talk = startPlaybookTalk({
      playbook,
      tools: [BOOK],
      send: async () => {
        await new Promise<void>((resolve) => talk.clock.after(4_000, resolve));
        return { status: 200, body: '{}' };
      },
    });
    const abort = new AbortController();
    const cut = talk.turn({ kind: 'opening' }, abort.signal);
    await settle();
    talk.dialogue.note({ kind: 'interrupted', heard: '' });
    abort.abort();

    expect(spokenIn(await talk.hear('cut it out with these robot calls'))).toContain(
      'stop calling this number',
    );
    expect((await talk.hear('yes')).at(-1)).toEqual({ kind: 'end' });
    expect(talk.dialogue.outcome().followUp).toEqual({ kind: 'suppress' });
    await talk.clock.advance(5_000);
    await cut;
    expect(talk.sent).toHaveLength(1);
  });

  it('keeps what a tool has answered for texts', async () => {
    const playbook = {
      start: 'run',
      steps: {
        run: {
          kind: 'tool',
          tool: 'find_slot',
          with: { day: 'x' },
          save_as: 'all',
          on_error: 'end',
          next: 'end',
        },
        end: { kind: 'end', text: 'It is {{slot}}, {{all}}.' },
      },
    };
    const talk = startPlaybookTalk({
      playbook,
      tools: [FIND_SLOT],
      send: () => Promise.resolve({ status: 200, body: '{"slot":"nine"}' }),
    });

    expect(spokenIn(await talk.open())).toBe('It is nine, {"slot":"nine"}.');
  });
});

describe('a model in a later step', () => {
  it('learns anew what it collects when the call comes back to it', async () => {
    const playbook = {
      start: 'ask',
      steps: {
        ask: {
          kind: 'talk',
          text: 'When?',
          goal: 'A day.',
          collect: { day: { kind: 'date' } },
          exits: [{ when: { known: ['day'] }, next: 'reserve' }],
          max_turns: 3,
          max_visits: 2,
          otherwise: 'end',
        },
        reserve: { kind: 'tool', tool: 'book', with: { day: '{{day}}' }, on_error: 'ask', next: 'end' },
        end: { kind: 'end', text: 'Goodbye.' },
      },
    };
    const answers: ScriptedAnswer[] = [
      [callOf('save_answers', { day: '2026-12-01' }), finish],
      'Another day?',
      [callOf('save_answers', { day: '2026-12-02' }), finish],
    ];
    const talk = startPlaybookTalk({
      playbook,
      tools: [BOOK],
      answer: (_, index) => answers[index] ?? 'What else?',
      send: () => Promise.resolve({ status: 500, body: '' }),
    });
    await talk.open();

    expect(spokenIn(await talk.hear('on Tuesday'))).toBe('When?');
    expect(spokenIn(await talk.hear('let me think about it again'))).toBe('Another day?');
    expect(spokenIn(await talk.hear('Wednesday'))).toBe('Goodbye.');
    expect(talk.sent).toHaveLength(2);
    expect(talk.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: 'let me think about it again',
    });
  });

  it('knows what was heard, and what tools have done, in the steps before', async () => {
    const playbook = {
      start: 'name',
      steps: {
        name: {
          kind: 'ask',
          text: 'Your name, please?',
          expect: { kind: 'name' },
          next: 'look',
          otherwise: 'look',
        },
        look: { kind: 'tool', tool: 'book', with: { day: '{{name}}' }, on_error: 'talk', next: 'talk' },
        talk: { kind: 'talk', goal: 'Help.', max_turns: 3, otherwise: 'end' },
        end: { kind: 'end', text: 'Goodbye.' },
      },
    };
    const talk = startPlaybookTalk({
      playbook,
      tools: [BOOK],
      send: () => Promise.resolve({ status: 200, body: '{"visits":3}' }),
    });
    await talk.open();

    expect(spokenIn(await talk.hear('Ada Lovelace'))).toBe('I see. What else?');
    expect(talk.model.requests[0]?.messages).toEqual([
      { role: 'user', text: '(The call begins.)' },
      { role: 'assistant', text: 'Your name, please?', toolCalls: [] },
      { role: 'user', text: 'Ada Lovelace\n(book was called with {"day":"Ada Lovelace"}: {"visits":3})' },
    ]);
  });

  it('reads what a colleague has said for the agent, or noted', async () => {
    const playbook = {
      start: 'talk',
      steps: {
        talk: { kind: 'talk', goal: 'Help.', max_turns: 3, otherwise: 'end' },
        end: { kind: 'end', text: 'Goodbye.' },
      },
    };
    const talk = startPlaybookTalk({ playbook });
    await talk.open();
    talk.dialogue.note({ kind: 'said_for_agent', text: 'We have moved.' });
    talk.dialogue.note({ kind: 'advised', text: 'offer them a visit at home' });
    await talk.hear('where are you now');

    expect(talk.dialogue.takesAdvice).toBe(true);
    expect(talk.model.requests[0]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', text: 'Hello, this is the clinic. We have moved.' },
      {
        role: 'user',
        text: expect.stringMatching(/offer them a visit at home\)\nwhere are you now$/) as string,
      },
    ]);
  });
});
