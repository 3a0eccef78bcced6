import { describe, expect, it } from 'vitest';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

/** Half past twelve in New York, on Saturday, 21 November 2026. */
const clock = { wallMs: () => Date.UTC(2026, 10, 21, 17, 30) };
const thinking = createPlaybooks({ clock, timeZone: 'America/New_York' });

const END = {
  end: { kind: 'end', text: 'Goodbye.' },
  lost: { kind: 'end', text: 'Sorry, goodbye.' },
} as const;
const ask = (expect: object, rest: object = {}) => ({
  kind: 'ask',
  text: '{{initial_message}} Will you come?',
  expect,
  next: 'end',
  otherwise: 'lost',
  ...rest,
});

/** A call with one question, and what is said in it. */
function open(first: object, more: object = {}, variables: Record<string, string> = {}) {
  const playbook = playbookSchema.parse({ start: 'first', steps: { first, ...more, ...END } });
  const session = thinking.open(
    briefOf({ playbook, initialMessage: 'Hello Ada, this is the club.', variables }),
  );
  const heard = async (turn: Parameters<typeof thoughtsOf>[0]) =>
    (await thoughtsOf(turn)).flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
  return {
    begin: () => heard(session.turn({ kind: 'opening' }, undisturbed)),
    say: (text: string) =>
      heard(
        session.turn({ kind: 'heard', transcript: { text, confidence: text === '' ? 0 : 0.9 } }, undisturbed),
      ),
    wait: () => heard(session.turn({ kind: 'silence', prompts: 1 }, undisturbed)),
    cut: (after: string) => session.note({ kind: 'interrupted', heard: after }),
    outcome: () => session.outcome(),
  };
}

describe('a question that holds the opening message', () => {
  const question = ask({ kind: 'yes_no' });

  it.each([
    ['', 'Sorry, I did not catch that. Will you come?'],
    ['who is this', 'Hello Ada, this is the club. Will you come?'],
    ['I want to talk to a person', /automatic assistant\. Will you come\?$/],
    ['can you repeat that', 'Hello Ada, this is the club. Will you come?'],
  ])('is put again after “%s” without greeting again, but for who asks to hear it', async (text, said) => {
    const call = open(question);
    expect(await call.begin()).toBe('Hello Ada, this is the club. Will you come?');
    expect(await call.say(text)).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
  });

  it('is put again so to whoever says nothing', async () => {
    const call = open(question);
    await call.begin();
    expect(await call.wait()).toBe('Are you still there? Will you come?');
  });

  it('is put as a whole to whoever spoke over it', async () => {
    const call = open(question);
    await call.begin();
    call.cut('Hello Ada,');
    expect(await call.say('')).toBe(
      'Sorry, I did not catch that. Hello Ada, this is the club. Will you come?',
    );
  });

  it('is put as it is where it is nothing else', async () => {
    const call = open(ask({ kind: 'yes_no' }, { text: '{{initial_message}}' }));
    await call.begin();
    expect(await call.say('')).toBe('Sorry, I did not catch that. Hello Ada, this is the club.');
  });
});

describe('who does not know yet', () => {
  const open3 = (answers: object) =>
    open(ask({ kind: 'yes_no' }, { text: 'Will you come?', answers, next: undefined }), {
      ask_later: { kind: 'end', text: 'I will ask again.', summary: 'Open.' },
    });

  it.each(['maybe', "I don't know yet", 'I have to ask my wife', 'perhaps', "I'm not sure"])(
    '%s: has answered where the playbook has a step for it',
    async (text) => {
      const call = open3({ yes: 'end', no: 'end', unsure: 'ask_later' });
      await call.begin();
      expect(await call.say(text)).toBe('I will ask again.');
      expect(call.outcome().answers).toEqual({ first: 'unsure' });
    },
  );

  it.each(['yes maybe', 'no', 'yes I think so', 'cancel'])('%s: is something else', async (text) => {
    const call = open3({ yes: 'end', no: 'end', unsure: 'ask_later' });
    await call.begin();
    expect(await call.say(text)).not.toBe(text === 'yes maybe' ? 'Goodbye.' : 'I will ask again.');
  });

  it('is asked again where it has none', async () => {
    const call = open(ask({ kind: 'yes_no' }));
    await call.begin();
    expect(await call.say('maybe')).toMatch(/Will you come\?$/);
  });
});

describe('a choice to be called back', () => {
  const options = [
    { value: 'call_back', phrases: ['call me back', 'be called back'] },
    { value: 'afternoon', phrases: ['later', 'afternoon'] },
  ];

  it('is an answer like any other', async () => {
    const call = open(ask({ kind: 'choice', options }));
    await call.begin();
    expect(await call.say('please call me back')).toBe('Goodbye.');
    expect(call.outcome()).toMatchObject({ answers: { first: 'call_back' }, intent: null });
  });

  it('is none where only a word of an option is in it', async () => {
    const call = open(
      ask({ kind: 'choice', options: [options[1], { value: 'morning', phrases: ['morning'] }] }),
    );
    await call.begin();
    expect(await call.say('call me later')).toMatch(/another time/);
    expect(call.outcome()).toMatchObject({ intent: 'call_back_later', answers: {} });
  });
});

describe('an answer that is said back', () => {
  const question = ask(
    { kind: 'date', earliest: 'today+1', latest: 'today+30' },
    { text: 'Which day?', save_as: 'day', confirm: '{{day}}, right?', max_attempts: 2 },
  );

  it('is not told before it is confirmed', async () => {
    const call = open({ ...question, summary: 'The day is {{day|open}}.' });
    await call.begin();
    expect(await call.say('Tuesday')).toBe('Tuesday, November 24th, right?');
    expect(call.outcome()).toMatchObject({ answers: {}, summary: 'The day is open.' });
    await call.say('yes');
    expect(call.outcome().summary).toBe('The day is Tuesday, November 24th.');
  });

  it('may be changed at the last attempt', async () => {
    const call = open(question);
    await call.begin();
    await call.say('Tuesday');
    await call.say('');
    expect(await call.say('no, Wednesday')).toBe('Wednesday, November 25th, right?');
    expect(await call.say('yes')).toBe('Goodbye.');
  });

  it.each([
    ['', 'Sorry, I did not catch that. Tuesday, November 24th, right?'],
    ['next year on March first', 'I am sorry, that is not possible. Tuesday, November 24th, right?'],
  ])('is said back again with the reason, after “%s”', async (text, said) => {
    const call = open(question);
    await call.begin();
    await call.say('Tuesday');
    expect(await call.say(text)).toBe(said);
  });
});

describe('what is said of a caller who leaves', () => {
  it.each([
    ['take me off your list', 'The customer does not want to be called again.'],
    ['wrong number', 'The customer said that it was the wrong number.'],
    ['I am driving', 'The customer wants to be called another time.'],
    ['call me tomorrow at three', 'The customer wants to be called tomorrow at 3 PM.'],
    ['not now call me tomorrow at three', 'The customer wants to be called tomorrow at 3 PM.'],
    ['tomorrow at three you can call me back', 'The customer wants to be called tomorrow at 3 PM.'],
    ['bye', 'The customer said goodbye.'],
  ])('%s', async (text, summary) => {
    const call = open(ask({ kind: 'yes_no' }));
    await call.begin();
    await call.say(text);
    expect(call.outcome().summary).toBe(summary);
  });

  it('is what the author says, where more was reached before', async () => {
    const call = open(ask({ kind: 'yes_no' }, { summary: 'Ada was asked.' }));
    await call.begin();
    await call.say('bye');
    expect(call.outcome().summary).toBe('Ada was asked.');
  });
});

describe('an answer that is compared with what the call knows', () => {
  const branch = {
    kind: 'branch',
    cases: [{ variable: 'birth', is: ['{{known_birth_date}}'], next: 'end' }],
    next: 'lost',
  };
  const question = ask(
    { kind: 'date', latest: 'today' },
    { text: 'When?', save_as: 'birth', next: 'branch' },
  );

  it.each([
    ['1984-03-07', 'Goodbye.'],
    ['1984-03-08', 'Sorry, goodbye.'],
    ['', 'Sorry, goodbye.'],
  ])('is equal to %s only', async (known, said) => {
    const call = open(question, { branch }, { known_birth_date: known });
    await call.begin();
    expect(await call.say('march seventh nineteen eighty four')).toBe(said);
  });
});

it('a transfer to nobody leaves no trace', async () => {
  const desk = {
    kind: 'transfer',
    to: '{{desk}}',
    otherwise: 'end',
    intent: 'talk',
    resolution_achieved: true,
  };
  const call = open(ask({ kind: 'yes_no' }, { next: 'desk' }), { desk });
  await call.begin();
  expect(await call.say('yes')).toBe('Goodbye.');
  expect(call.outcome()).toMatchObject({ intent: null, resolutionAchieved: false });
});

it.each([
  [{ min: 0, max: 8 }, 'nobody', '0'],
  [{ min: 0, max: 8 }, 'no one else', '0'],
  [{ min: 1, max: 8 }, 'just me', '1'],
  [{ min: 1, max: 8 }, 'just me and my wife', undefined],
  [{ min: 0, max: 8 }, 'just me', undefined],
])('of a number within %j, “%s” is %s', async (limits, text, value) => {
  const call = open(ask({ kind: 'number', ...limits }));
  await call.begin();
  await call.say(text);
  expect(call.outcome().answers['first']).toBe(value);
});
