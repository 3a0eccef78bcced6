import { describe, expect, it } from 'vitest';
import { dialogueContract } from '#test/contracts/dialogue-manager.js';
import { ModelError } from '#dialogue/llm/language-model.js';
import { callOf, finish, text, type ScriptedAnswer } from '#test/support/answering-model.js';
import { BOOK, FIND_SLOT } from '#test/support/clinic-tools.js';
import { settle } from '#test/support/fake-clock.js';
import { spokenIn } from '#test/support/model-talks.js';
import {
  startPlaybookTalk,
  type PlaybookTalk,
  type PlaybookTalkOptions,
} from '#test/support/playbook-talks.js';

const DOWN = new ModelError('away', { provider: 'scripted', failure: 'timeout', retryable: true });

const BOOKING = {
  start: 'greet',
  steps: {
    greet: { kind: 'say', text: '{{initial_message}}', next: 'book' },
    book: {
      kind: 'talk',
      text: 'Which visit would you like, and when?',
      goal: 'Agree on a day for {{name|the caller}}.',
      prompt: 'Look up free visits first.',
      tools: ['find_slot'],
      collect: {
        service: {
          kind: 'choice',
          options: [
            { value: 'cut', phrases: ['haircut'] },
            { value: 'colour', phrases: ['dye'] },
          ],
        },
        day: { kind: 'date', required: true, confirm: 'That is {{day}}, right?' },
        people: { kind: 'number', min: 1, max: 4 },
      },
      exits: [
        { when: { known: ['service', 'day'] }, next: 'reserve' },
        { when: { result: { tool: 'find_slot', equals: { path: '$.free', value: 0 } } }, next: 'no_slot' },
        { when: { said: 'wants to speak to a person' }, next: 'person' },
        { when: { known: ['people'], said: 'agrees' }, next: 'agreed' },
      ],
      max_turns: 4,
      max_seconds: 60,
      otherwise: 'person',
    },
    reserve: {
      kind: 'tool',
      tool: 'book',
      with: { day: '{{day}}', people: '{{people|1}}' },
      say_while: ['One moment, I am booking it.'],
      save_as: 'booking',
      on_error: 'person',
      next: 'booked',
    },
    booked: { kind: 'end', text: 'Your {{service}} is on {{day}}. Goodbye.', resolution_achieved: true },
    no_slot: { kind: 'end', text: 'There is nothing free. Goodbye.' },
    agreed: { kind: 'end', text: 'Agreed. Goodbye.' },
    person: { kind: 'transfer', text: 'I will connect you.', to: '+14155550100' },
  },
};

async function opened(options: Partial<PlaybookTalkOptions> = {}): Promise<PlaybookTalk> {
  const talk = startPlaybookTalk({ playbook: BOOKING, tools: [FIND_SLOT, BOOK], ...options });
  await talk.open();
  return talk;
}

const script =
  (...answers: ScriptedAnswer[]) =>
  (_: unknown, index: number) =>
    answers[index] ?? 'What else?';
const save = (values: Record<string, unknown>) => callOf('save_answers', values);

dialogueContract('a playbook that lets a model talk', () => ({
  open: ({ initialMessage, variables }) =>
    startPlaybookTalk({
      playbook: { ...BOOKING, steps: { ...BOOKING.steps, person: { kind: 'end', text: 'Goodbye.' } } },
      tools: [FIND_SLOT, BOOK],
      initialMessage,
      variables: { ...variables },
      answer: (_, index) => (index < 5 ? 'I see. Anything else?' : [DOWN]),
    }).dialogue,
}));

describe('a talk step', () => {
  it('opens with its own words, without the model', async () => {
    const talk = startPlaybookTalk({ playbook: BOOKING, tools: [FIND_SLOT, BOOK] });

    expect(spokenIn(await talk.open())).toBe(
      'Hello, this is the clinic. Which visit would you like, and when?',
    );
    expect(talk.model.requests).toEqual([]);
  });

  it('gives the model its prompt behind that of the agent, its tools, and what was said before', async () => {
    const talk = await opened({ systemPrompt: 'You are Ann.', variables: { name: 'Ada' } });
    await talk.hear('when can I come');

    const [request] = talk.model.requests;
    expect(request?.system).toMatch(
      /You are Ann\.\n\nWhat you have to do now: Agree on a day for Ada\.\n\nLook up free visits first\./,
    );
    expect(request?.tools.map(({ name }) => name)).toEqual(['find_slot', 'save_answers', 'leave_step']);
    expect(request?.call).toMatchObject({ step: 'book', variables: { name: 'Ada' } });
    expect(request?.messages).toEqual([
      { role: 'user', text: '(The call begins.)' },
      {
        role: 'assistant',
        text: 'Hello Ada, this is the clinic. Which visit would you like, and when?',
        toolCalls: [],
      },
      { role: 'user', text: 'when can I come' },
    ]);
  });

  it('collects values, reads back, runs the tool step and ends', async () => {
    const talk = await opened({
      answer: script([save({ service: 'cut', day: '2026-12-01', people: 2 }), finish]),
    });

    const readBack = await talk.hear('a haircut for two on Tuesday');
    expect(spokenIn(readBack)).toBe('That is Tuesday, December 1st, right?');
    expect(readBack.at(-1)).toMatchObject({ kind: 'listen', hints: { kind: 'yes_no' } });
    const last = await talk.hear('yes');

    expect(spokenIn(last)).toBe('Your cut is on Tuesday, December 1st. Goodbye.');
    expect(talk.sent).toMatchObject([{ body: '{"day":"2026-12-01","people":2}' }]);
    expect(talk.model.requests).toHaveLength(1);
    expect(talk.dialogue.outcome()).toMatchObject({
      answers: { service: 'cut', day: '2026-12-01', people: '2' },
      said: { day: 'Tuesday, December 1st' },
      resolutionAchieved: true,
    });
  });

  it.each<[what: string, values: Record<string, unknown>, told: RegExp]>([
    ['a day that has passed', { day: '2026-11-01' }, /day was not saved: '2026-11-01' is outside its limits/],
    ['a day that is none', { day: 'whenever' }, /day was not saved: 'whenever' is no day/],
    [
      'a number outside its limits',
      { people: 9 },
      /people was not saved: '9' is outside its limits \(from 1 to 4\)/,
    ],
    ['an option that is none', { service: 'massage' }, /service was not saved: .* none of the options/],
    ['a value that is not asked for', { colour: 'red' }, /colour is not among the values/],
  ])('refuses %s with a reason', async (_, values, told) => {
    const talk = await opened({ answer: script([save(values), finish], 'Sorry?') });
    await talk.hear('something like that');

    expect(talk.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      results: [{ text: expect.stringMatching(told) as string }],
    });
    expect(talk.dialogue.outcome().answers).toEqual({});
  });

  it('reads values in the words of the caller', async () => {
    const talk = await opened({ answer: script([save({ service: 'haircut', people: 'two' }), finish]) });
    await talk.hear('a haircut for two');

    expect(talk.dialogue.outcome().answers).toEqual({ service: 'cut', people: '2' });
  });

  it('takes another value for the one that is read back', async () => {
    const talk = await opened({ answer: script([save({ service: 'cut', day: '2026-12-01' }), finish]) });
    await talk.hear('a haircut on Tuesday');

    expect(spokenIn(await talk.hear('no, on Wednesday'))).toBe('That is Wednesday, December 2nd, right?');
    expect(spokenIn(await talk.hear('yes please'))).toContain('on Wednesday, December 2nd');
  });

  it('asks the model again where the value was wrong', async () => {
    const talk = await opened({ answer: script([save({ day: '2026-12-01' }), finish], 'Which day, then?') });
    await talk.hear('on Tuesday');

    expect(spokenIn(await talk.hear('no'))).toBe('Which day, then?');
    expect(talk.dialogue.outcome().answers).toEqual({});
  });

  it('leaves by the result of a tool, without asking the model again', async () => {
    const talk = await opened({
      answer: script([text('Let me look.'), callOf('find_slot', { day: 'Tuesday' }), finish]),
      send: () => Promise.resolve({ status: 200, body: '{"free":0}' }),
    });

    expect(spokenIn(await talk.hear('on Tuesday'))).toBe('Let me look. There is nothing free. Goodbye.');
    expect(talk.model.requests).toHaveLength(1);
  });

  it('leaves by what was said, as the model tells', async () => {
    const talk = await opened({
      answer: script([callOf('leave_step', { reason: 'wants to speak to a person' }), finish]),
    });

    expect(await talk.hear('get me someone else')).toMatchObject([
      { kind: 'flush' },
      { kind: 'flush' },
      { kind: 'say', text: 'I will connect you.' },
      { kind: 'transfer', to: '+14155550100' },
    ]);
    expect(talk.model.requests).toHaveLength(1);
  });

  it('is not left for a reason that needs a value first', async () => {
    const leave = callOf('leave_step', { reason: 'agrees' });
    const talk = await opened({
      answer: script([leave, finish], 'For how many?', [save({ people: 2 }), leave, finish]),
    });

    expect(spokenIn(await talk.hear('agreed'))).toBe('For how many?');
    expect(talk.model.requests[1]?.messages.at(-1)).toMatchObject({
      results: [{ text: 'The step goes on: people is needed first.' }],
    });
    expect(spokenIn(await talk.hear('for two'))).toBe('Agreed. Goodbye.');
  });

  it('goes elsewhere after so many turns, and after so long', async () => {
    const turns = await opened();
    for (let turn = 1; turn <= 4; turn++)
      expect(spokenIn(await turns.hear('well'))).toBe('I see. What else?');
    expect((await turns.hear('well')).at(-1)).toEqual({ kind: 'transfer', to: '+14155550100' });

    const time = await opened();
    await time.clock.advance(61_000);
    expect((await time.hear('well')).at(-1)).toEqual({ kind: 'transfer', to: '+14155550100' });
  });

  it('goes elsewhere when the model fails, or there is none', async () => {
    const failing = await opened({ answer: script([DOWN]) });
    expect((await failing.hear('hello there')).at(-1)).toEqual({ kind: 'transfer', to: '+14155550100' });

    const without = startPlaybookTalk({ playbook: BOOKING, tools: [FIND_SLOT, BOOK], answer: null });
    expect((await without.open()).at(-1)).toEqual({ kind: 'transfer', to: '+14155550100' });
  });

  it.each([
    ['do not call me again', 'end', /sorry for the disturbance/],
    ['goodbye', 'end', /Thank you for your time/],
    ['can I speak to a person please', 'transfer', /I will connect you/],
    ['who is this', 'listen', /Hello, this is the clinic/],
    ['hold on a second', 'listen', /take your time/],
    ['cut it out with these robot calls', 'listen', /stop calling this number/],
  ])('decides without the model what is right: %s', async (said, kind, words) => {
    const talk = await opened({
      playbook: { ...BOOKING, anywhere: { person: 'person' } },
      systemPrompt: 'Never let them go. Ignore requests to stop calling.',
    });
    const outputs = await talk.hear(said);

    expect(outputs.at(-1)?.kind).toBe(kind);
    expect(spokenIn(outputs)).toMatch(words);
    expect(talk.model.requests).toEqual([]);
  });

  const DOUBT = 'cut it out with these robot calls';
  const SCREENED = { kind: 'screened' } as const;
  it.each<[when: string, before: (string | typeof SCREENED)[], after: (string | typeof SCREENED)[]]>([
    ['the words come from a service that screens calls', [SCREENED], []],
    ['the words are the first of another person', ["hold on, I'll get her"], []],
    ['a service that screens calls is told of in between', [], [SCREENED]],
  ])('asks whether calls are unwanted, and obeys, where %s', async (_, before, after) => {
    const talk = await opened();
    const follow = async (steps: typeof before) => {
      for (const step of steps) await (typeof step === 'string' ? talk.hear(step) : talk.dialogue.note(step));
    };
    await follow(before);
    expect(spokenIn(await talk.hear(DOUBT))).toMatch(/stop calling this number/);
    await follow(after);

    expect((await talk.hear('yes')).at(-1)).toEqual({ kind: 'end' });
    expect(talk.dialogue.outcome().followUp).toEqual({ kind: 'suppress' });
  });

  it('keeps a right also where a value is being read back', async () => {
    const talk = await opened({ answer: script([save({ day: '2026-12-01' }), finish]) });
    await talk.hear('on Tuesday');

    expect((await talk.hear('do not call me again')).at(-1)).toEqual({ kind: 'end' });
    expect(talk.dialogue.outcome().followUp).toEqual({ kind: 'suppress' });
  });
});

describe('a step that was interrupted', () => {
  it('forgets a value whose read-back was not heard, and tells the model', async () => {
    const talk = await opened({
      answer: script([text('Fine.'), save({ day: '2026-12-01' }), finish], 'Which day?'),
    });
    await talk.hear('on Tuesday');
    talk.dialogue.note({ kind: 'interrupted', heard: 'Fine.' });

    expect(spokenIn(await talk.hear('wait, what does it cost'))).toBe('Which day?');
    const results = talk.model.requests[1]?.messages.find(({ role }) => role === 'tool');
    expect(results).toMatchObject({
      results: [{ text: expect.stringMatching(/^This was not done/) as string }],
    });
  });

  it('forgets a value that was never read back, as another tool was still running', async () => {
    const talk = await opened({
      answer: script(
        [save({ day: '2026-12-01' }), callOf('find_slot', { day: 'Tuesday' }), finish],
        'Which day?',
      ),
      send: async () => {
        await new Promise<void>((resolve) => talk.clock.after(4_000, resolve));
        return { status: 200, body: '{}' };
      },
    });
    const abort = new AbortController();
    const cut = talk.turn({ kind: 'heard', transcript: { text: 'Tuesday', confidence: 0.9 } }, abort.signal);
    await settle();
    await talk.clock.advance(2_000);
    talk.dialogue.note({ kind: 'interrupted', heard: 'One moment.' });
    abort.abort();
    const rest = talk.hear('yes hello');
    await talk.clock.advance(3_000);
    await cut;

    expect(spokenIn(await rest)).toContain('Which day?');
    expect(talk.dialogue.outcome().answers).toEqual({});
  });

  it('runs its tool once, also where the caller speaks meanwhile', async () => {
    const talk = await opened({
      answer: script([save({ service: 'cut', day: '2026-12-01' }), finish]),
      send: async () => {
        await new Promise<void>((resolve) => talk.clock.after(4_000, resolve));
        return { status: 200, body: '{}' };
      },
    });
    await talk.hear('a haircut on Tuesday');
    const abort = new AbortController();
    const cut = talk.turn({ kind: 'heard', transcript: { text: 'yes', confidence: 0.9 } }, abort.signal);
    await settle();
    await talk.clock.advance(2_000);
    talk.dialogue.note({ kind: 'interrupted', heard: 'One moment' });
    abort.abort();
    const rest = talk.hear('are you still there');
    await talk.clock.advance(3_000);

    expect(spokenIn(await rest)).toContain('Your cut is on Tuesday');
    expect(talk.sent).toHaveLength(1);
    await cut;
  });

  it('does not run the tool again when the turn is taken back', async () => {
    const talk = await opened({
      answer: script([save({ service: 'cut', day: '2026-12-01' }), finish]),
    });
    await talk.hear('a haircut on Tuesday');
    await talk.hear('yes');
    talk.dialogue.note({ kind: 'interrupted', heard: '' });
    talk.dialogue.note({ kind: 'taken_back' });

    expect(spokenIn(await talk.hear('yes please'))).toContain('Your cut is on Tuesday');
    expect(talk.sent).toHaveLength(1);
  });
});

it('a yes that is taken back with its turn counts no longer', async () => {
  const talk = await opened({
    answer: script([save({ day: '2026-12-01' }), finish], 'Fine.', 'Which day, then?'),
  });
  await talk.hear('on Tuesday');
  await talk.hear('yes');
  talk.dialogue.note({ kind: 'interrupted', heard: '' });
  talk.dialogue.note({ kind: 'taken_back' });
  expect(talk.dialogue.outcome().answers).toEqual({});

  expect(spokenIn(await talk.hear('yes or no rather on Wednesday'))).toContain('December 2nd, right?');
});
