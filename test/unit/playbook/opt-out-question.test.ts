import { describe, expect, it } from 'vitest';
import type { Playbook } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const QUESTION = 'Do you want us to stop calling this number?';
/** No rule of opt-outs has these. */
const DOUBTED = 'cut it out with these robot calls';
const DOUBTED_TOO = "don't call back";
const NOON = Date.parse('2026-03-02T12:00:00Z');
const thinking = createPlaybooks({ clock: { wallMs: () => NOON }, timeZone: 'UTC' });

const PLAYBOOK: Playbook = {
  start: 'coming',
  wording: { do_not_call: 'You are off the list. Goodbye.' },
  steps: {
    coming: {
      kind: 'ask',
      text: '{{initial_message}} Are you coming?',
      expect: { kind: 'yes_no' },
      answers: { yes: 'day', no: 'declined' },
      retry: ['Yes or no?'],
      max_attempts: 2,
      otherwise: 'lost',
    },
    day: {
      kind: 'ask',
      text: 'On which day?',
      expect: { kind: 'date' },
      confirm: 'On {{day}}, is that right?',
      next: 'note',
      otherwise: 'lost',
    },
    note: {
      kind: 'ask',
      text: 'What shall we know?',
      expect: { kind: 'anything' },
      next: 'bye',
      otherwise: 'lost',
    },
    declined: { kind: 'end', text: 'A pity.', intent: 'declined' },
    lost: { kind: 'end', text: 'Another time.', intent: 'not_understood' },
    bye: { kind: 'end', text: 'See you.' },
  },
};

class Talk {
  readonly session: DialogueManager = thinking.open(briefOf({ playbook: PLAYBOOK }));
  thoughts: DialogueOutput[] = [];

  static async begun(...replies: readonly string[]): Promise<Talk> {
    const talk = new Talk();
    talk.thoughts = await thoughtsOf(talk.session.turn({ kind: 'opening' }, undisturbed));
    await talk.say(...replies);
    return talk;
  }

  async say(...texts: readonly string[]): Promise<string> {
    for (const text of texts)
      this.thoughts = await thoughtsOf(
        this.session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
      );
    return this.words;
  }

  get words(): string {
    return this.thoughts.map((thought) => (thought.kind === 'say' ? thought.text : '')).join(' ');
  }

  get isSuppressed(): boolean {
    return this.session.outcome().followUp?.kind === 'suppress';
  }
}

describe('whether no more calls are wanted', () => {
  it('is asked where nothing was understood but that it may be so, and listened for', async () => {
    const talk = await Talk.begun(DOUBTED);
    expect(talk.words).toContain(QUESTION);
    expect(talk.thoughts.at(-1)).toMatchObject({ kind: 'listen', hints: { kind: 'yes_no' } });
    expect(talk.isSuppressed).toBe(false);
  });

  it.each([[[]], [['yes']], [['yes', 'tomorrow', 'yes']]])(
    'is asked at every step where it is all that a caller says, or no more than a no: after %j',
    async (before) => expect(await (await Talk.begun(...before)).say(DOUBTED_TOO)).toContain(QUESTION),
  );

  it('is asked where an answer that was said back is denied with it', async () => {
    const talk = await Talk.begun('yes', 'tomorrow', "no, and don't call back");
    expect(talk.words).toContain(QUESTION);
    expect(await talk.say('no')).toContain('is that right?');
  });

  it.each(['no', 'no, stop asking, I meant no', 'Tuesday', ''])('is not asked after: %j', async (text) => {
    const talk = await Talk.begun(text);
    expect(talk.words).not.toContain(QUESTION);
  });

  it.each([
    `bye, ${DOUBTED_TOO}`,
    `${DOUBTED_TOO}, bye`,
    `${DOUBTED}, goodbye`,
    `no, ${DOUBTED_TOO}, bye`,
    `I can't talk, ${DOUBTED}`,
  ])('is asked also of who takes their leave with it: %s', async (text) =>
    expect(await (await Talk.begun()).say(text)).toContain(QUESTION),
  );

  it.each(['bye', 'no, bye', 'call me later', "don't call back now, call me tomorrow at three"])(
    'is not asked of who only takes their leave: %s',
    async (text) => expect(await (await Talk.begun()).say(text)).not.toContain(QUESTION),
  );

  it('is not asked of a message that speaks of calls', async () => {
    const talk = await Talk.begun('yes', 'tomorrow', 'yes');
    expect(await talk.say('these robot calls drive my mother mad, cut that out')).toBe('See you. ');
  });

  it.each(['yes I would like to keep getting calls', 'exactly what are you asking'])(
    'opts nobody out who says more than a yes to it: %s',
    async (text) => expect((await Talk.begun(DOUBTED, text)).isSuppressed).toBe(false),
  );

  it('is not asked of what was hardly heard', async () => {
    const talk = await Talk.begun();
    const turn = talk.session.turn(
      { kind: 'heard', transcript: { text: DOUBTED, confidence: 0.1 } },
      undisturbed,
    );
    expect(await thoughtsOf(turn)).not.toContainEqual(expect.objectContaining({ text: QUESTION }));
  });
});

describe('a yes to it', () => {
  it.each([
    'yes',
    'Yes, please!',
    'yeah stop it',
    'please do',
    'of course I do',
    "that's right",
    'oh yes, for good',
    'stop',
    'never again',
    'remove me',
    "yes I've had enough of this",
    'yes, goodbye',
    "don't ever call me again",
    '1',
  ])('is a direct opt-out, with all that comes of one: %s', async (text) => {
    const direct = await Talk.begun('do not call me again');
    const asked = await Talk.begun(DOUBTED, text);
    expect(asked.thoughts).toEqual(direct.thoughts);
    expect(asked.session.outcome()).toEqual(direct.session.outcome());
    expect(asked.isSuppressed).toBe(true);
    expect(asked.words).toContain('You are off the list.');
  });

  it('counts also from a caller who hangs up with it', async () => {
    const talk = await Talk.begun(DOUBTED);
    talk.session.note({ kind: 'last_words', transcript: { text: 'yes', confidence: 0.9 } });
    expect(talk.session.outcome()).toMatchObject({
      intent: 'do_not_call',
      followUp: { kind: 'suppress' },
      answers: {},
    });
  });

  it.each([
    "yes I'll come",
    'yes, I will be there',
    'yes I have an appointment',
    'yes, you may call',
    'yes you can call me',
    'yes, I would like to keep getting calls',
    'yes I like your calls',
    'yes I want to be called',
    'yes, that works',
    'yes, tomorrow is fine',
    'yes, for today',
    'maybe',
    'what do you mean',
    '',
  ])('is nothing else: %j leads back to the step', async (text) => {
    const talk = await Talk.begun(DOUBTED, text);
    expect(talk.isSuppressed).toBe(false);
    expect(talk.words.trim()).toBe('Are you coming?');
    expect(talk.session.outcome().answers).toEqual({});
  });
});

describe('anything else leaves the call as it was', () => {
  it.each(['no', 'no no, go on', 'no thanks', "don't stop", 'never mind', '2'])(
    'a no leads back to the step, and answers nothing of it: %s',
    async (text) => {
      const talk = await Talk.begun(DOUBTED, text);
      expect(talk.words.trim()).toBe('Are you coming?');
      expect(talk.session.outcome()).toMatchObject({ intent: null, answers: {} });
      expect(talk.isSuppressed).toBe(false);
    },
  );

  it('takes none of the attempts that the step has', async () => {
    const talk = await Talk.begun('the weather');
    expect(talk.words).toContain('Yes or no?');
    expect(await talk.say(DOUBTED)).toContain(QUESTION);
    await talk.say('hmm');
    expect(talk.words.trim()).toBe('Are you coming?');
    expect(await talk.say('yes')).toContain('On which day?');
    const fresh = await Talk.begun(DOUBTED, 'no', 'the weather');
    expect(fresh.words).toContain('Yes or no?');
  });

  it('may be an answer to the step', async () => {
    expect((await Talk.begun('yes', DOUBTED, 'no, tomorrow')).words).toContain('March 3rd');
    const note = await Talk.begun('yes', 'tomorrow', 'yes', DOUBTED_TOO, 'I am allergic to nuts');
    expect(note.words.trim()).toBe('What shall we know?');
  });

  it('is no number where it is a key for yes or no', async () => {
    const expectation = { kind: 'number' } as const;
    const first = {
      kind: 'ask',
      text: 'How many?',
      expect: expectation,
      next: 'bye',
      otherwise: 'bye',
    } as const;
    const playbook: Playbook = { start: 'first', steps: { first, bye: { kind: 'end', text: 'Bye.' } } };
    for (const [key, followUp] of [
      ['1', { kind: 'suppress' }],
      ['2', undefined],
    ] as const) {
      const session = thinking.open(briefOf({ playbook }));
      await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
      for (const text of [DOUBTED, key])
        await thoughtsOf(session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed));
      expect(session.outcome()).toMatchObject({ answers: {} });
      expect(session.outcome().followUp).toEqual(followUp);
    }
  });

  it('may be a way out of its own', async () => {
    const later = await Talk.begun(DOUBTED, 'no, call me tomorrow at three');
    expect(later.session.outcome()).toMatchObject({ followUp: { kind: 'call_back' } });
    const gone = await Talk.begun(DOUBTED, 'no, goodbye');
    expect(gone.session.outcome()).toMatchObject({ intent: 'end_call', answers: {} });
  });
});

describe('in one call', () => {
  it('the question is put once', async () => {
    const talk = await Talk.begun(DOUBTED, 'no', DOUBTED);
    expect(talk.words).not.toContain(QUESTION);
    expect(await talk.say(DOUBTED_TOO)).not.toContain(QUESTION);
  });

  it('a silence after it leads back to the step, and a yes is one to that', async () => {
    const talk = await Talk.begun(DOUBTED);
    talk.thoughts = await thoughtsOf(talk.session.turn({ kind: 'silence', prompts: 1 }, undisturbed));
    expect(talk.words).not.toContain(QUESTION);
    expect(talk.words).toContain('Are you coming?');
    expect(await talk.say('yes')).toContain('On which day?');
  });

  it('a turn that was taken back has not asked', async () => {
    const talk = await Talk.begun(DOUBTED);
    talk.session.note({ kind: 'interrupted', heard: '' });
    talk.session.note({ kind: 'taken_back' });
    expect(await talk.say('cut it out with these robot calls please')).toContain(QUESTION);
    expect(await talk.say('yes')).toContain('You are off the list.');
  });

  it('a yes spoken over its first words is one to neither question', async () => {
    const talk = await Talk.begun(DOUBTED);
    talk.session.note({ kind: 'interrupted', heard: 'Do you' });
    expect((await talk.say('yes')).trim()).toBe('Are you coming?');
    expect(talk.isSuppressed).toBe(false);
    expect(await talk.say('yes')).toContain('On which day?');
  });

  it('and one spoken over its last words counts', async () => {
    const talk = await Talk.begun(DOUBTED);
    talk.session.note({ kind: 'interrupted', heard: 'Do you want us to stop calling' });
    expect(await talk.say('yes')).toContain('You are off the list.');
  });

  it('the last words before hanging up are answers still, and asked about by nobody', async () => {
    const talk = await Talk.begun();
    talk.session.note({
      kind: 'last_words',
      transcript: { text: "no and don't call back", confidence: 0.9 },
    });
    expect(talk.session.outcome()).toMatchObject({ answers: { coming: 'no' }, intent: 'declined' });
  });
});
