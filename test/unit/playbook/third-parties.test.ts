import { describe, expect, it } from 'vitest';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks, type PlaybookBrief } from '#test/support/playbooks.js';
import { CallMemory } from '#playbook/talk/call-memory.js';
import type { AgentBrief, DialogueManager } from '#dialogue/dialogue-manager.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const thinking = createPlaybooks({ clock: { wallMs: () => NOON }, timeZone: 'UTC' });
const OPENING = 'Hello Ada, this is the clinic.';
const RECEPTIONIST = { playbook: defaultPlaybook, variables: { name: 'Ada' } };

async function begun(brief: Partial<PlaybookBrief>): Promise<DialogueManager> {
  const session = thinking.open(briefOf(brief));
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  return session;
}

async function answerTo(session: DialogueManager, ...replies: readonly string[]): Promise<string> {
  let said = '';
  for (const text of replies) {
    const thoughts = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
    );
    said = thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
  }
  return said;
}

/** What the agent says last. */
const saidTo = async (brief: Partial<PlaybookBrief>, ...replies: readonly string[]) =>
  answerTo(await begun(brief), ...replies);

const START_ASKS = (text: string): Playbook => ({
  start: 'coming',
  steps: {
    coming: {
      kind: 'ask',
      text,
      expect: { kind: 'yes_no' },
      answers: { yes: 'day', no: 'bye' },
      otherwise: 'bye',
      max_attempts: 1,
    },
    day: {
      kind: 'ask',
      text: 'On which day?',
      expect: { kind: 'date' },
      confirm: 'On {{day}}?',
      next: 'bye',
      otherwise: 'bye',
    },
    bye: { kind: 'end', text: 'See you.' },
  },
});

describe('who comes to the phone', () => {
  it.each(['hello?', 'hi, hello', 'yes?', 'yes hello', 'hello who wants what from me'])(
    'hears who calls, and then the question: %s',
    async (text) => {
      const said = await saidTo(RECEPTIONIST, 'yes', "hold on, I'll get her", text);
      expect(said).toBe(`${OPENING} Will you come to your appointment?`);
    },
  );

  it('hears it also after a silence and another moment', async () => {
    const session = await begun(RECEPTIONIST);
    expect(await answerTo(session, 'yes', 'let me get my daughter', 'one moment')).toContain(
      'take your time',
    );
    await thoughtsOf(session.turn({ kind: 'silence', prompts: 1 }, undisturbed));
    expect(await answerTo(session, 'hello')).toBe(`${OPENING} Will you come to your appointment?`);
  });

  it('hears it once', async () => {
    const replies = ['yes', "I'll get her", 'hello', 'the weather'];
    expect(await saidTo(RECEPTIONIST, ...replies)).not.toContain(OPENING);
  });

  it('hears it before what follows an answer', async () => {
    const said = await saidTo(RECEPTIONIST, 'yes', "I'll get her", 'hi, yes I will come');
    expect(said).toBe(
      `${OPENING} Very good. For your next visit, do you prefer the morning or the afternoon?`,
    );
  });

  it('takes none of the attempts that the question has by saying hello', async () => {
    const brief = { playbook: START_ASKS('Are you coming?') };
    expect(await saidTo(brief, 'let me get her', 'hello')).toBe('Are you coming?');
    expect(await saidTo(brief, 'let me get her', 'hello', 'yes')).toBe('On which day?');
  });

  it('hears nothing of it who leaves, or asks for it', async () => {
    expect(await saidTo(RECEPTIONIST, 'yes', "I'll get her", 'goodbye')).not.toContain(OPENING);
    const asked = await saidTo(RECEPTIONIST, 'yes', "I'll get her", 'who is this');
    expect(asked.split(OPENING)).toHaveLength(2);
  });
});

describe('a playbook that begins with a question', () => {
  it.each(['{{initial_message}} Are you coming?', 'Hello Ada, this is the clinic. Are you coming?'])(
    'says it as a whole: %s',
    async (text) => {
      const playbook = START_ASKS(text);
      Object.assign(playbook.steps['coming']!, { max_attempts: 3 });
      const brief = { playbook, initialMessage: OPENING };
      expect(await saidTo(brief, 'let me get her', 'hello')).toBe(`${OPENING} Are you coming?`);
      expect(await saidTo(brief, 'yes', 'let me get her', 'hello')).toBe(`${OPENING} On which day?`);
      const confirming = await saidTo(brief, 'yes', 'tomorrow', 'let me get her', 'hello');
      expect(confirming).toBe(`${OPENING} On Tuesday, March 3rd?`);
    },
  );
});

describe('who is on the line already', () => {
  it.each(['one moment', 'let me find a pen'])('is told nothing twice: %s', async (text) => {
    expect(await saidTo(RECEPTIONIST, 'yes', text, 'hello')).not.toContain(OPENING);
  });

  it('is told once who calls where that is the question itself', async () => {
    const playbook = START_ASKS('{{initial_message}}');
    Object.assign(playbook.steps['coming']!, { max_attempts: 3 });
    const initialMessage = `${OPENING} Are you coming?`;
    const session = await begun({ playbook, initialMessage });
    expect(await answerTo(session, 'who is this')).toBe(initialMessage);
    expect(await answerTo(session, 'please say your name and why you are calling')).toBe(initialMessage);
    expect(await answerTo(session, 'yes')).toBe('On which day?');
  });

  it('is whoever it was before a turn that was taken back', async () => {
    const session = await begun(RECEPTIONIST);
    await answerTo(session, 'yes', "I'll get her");
    session.note({ kind: 'interrupted', heard: '' });
    session.note({ kind: 'taken_back' });
    expect(await answerTo(session, 'hello')).not.toContain(OPENING);
  });
});

describe('a service that screens calls', () => {
  const SCREENER = ['please say your name and why you are calling', 'thank you please stay on the line'];

  it.each([
    ['a question of its own', { playbook: START_ASKS('Will you come to us?') }, 'Will you come to us?'],
    ['the opening', { playbook: START_ASKS('Hello Ada, will you come?') }, 'Hello Ada, will you come?'],
  ])(
    'is told who calls and costs no attempt, and who comes after it hears %s',
    async (_, brief, question) => {
      const session = await begun(brief);
      session.note({ kind: 'screened' });
      expect(await answerTo(session, SCREENER[0]!)).toContain(question);
      expect(await answerTo(session, SCREENER[1]!)).not.toContain(question);
      expect(await answerTo(session, 'this is taking a moment, stay on the line')).not.toContain('See you.');
      const said = await answerTo(session, 'hello');
      expect(said.endsWith(question)).toBe(true);
      expect(said.split(question)).toHaveLength(2);
      expect(await answerTo(session, 'yes')).not.toContain(question);
    },
  );

  it('answers nothing, even where anything is an answer', async () => {
    const playbook = START_ASKS('How was your visit?');
    const asks = { ...playbook.steps['coming']!, expect: { kind: 'anything' } } as Playbook['steps'][string];
    const session = await begun({ playbook: { ...playbook, steps: { ...playbook.steps, coming: asks } } });
    session.note({ kind: 'screened' });
    await answerTo(session, 'record your name and reason after the tone');
    expect(session.outcome().answers).toEqual({});
  });

  it('may end the call', async () => {
    const session = await begun(RECEPTIONIST);
    session.note({ kind: 'screened' });
    expect(await answerTo(session, 'goodbye')).not.toContain('?');
  });
});

describe('the person called', () => {
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

  it('is no day or place that the opening message names', () => {
    const initialMessage = 'Hello Ada, this is the clinic in London about your visit on Monday.';
    const { callee } = new CallMemory(briefOf({ initialMessage }));
    expect(callee).toBe('Ada');
  });

  it('is known by the opening message', async () => {
    expect(await answersOf({ initialMessage: 'Good morning Ada, this is the clinic.' })).toEqual({
      good_time: 'yes',
    });
  });
});
