import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentCreate } from '#agents/definitions/agent-input.js';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import type { RecognitionHints } from '#speech/stt.js';
import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

/** Saturday, 21 November 2026, half past twelve in New York. */
const clock = { wallMs: () => Date.UTC(2026, 10, 21, 17, 30) };
const thinking = createPlaybooks({ clock, timeZone: 'America/New_York' });

/** One call: what the agent says after each thing that the caller says. */
class Call {
  readonly said: string[] = [];
  listensFor: RecognitionHints | null = null;
  isOver = false;
  /** Whom it is being connected with. */
  connects: string | null = null;
  readonly #session: DialogueManager;

  constructor(session: DialogueManager) {
    this.#session = session;
  }

  async begin(): Promise<this> {
    await this.#take(this.#session.turn({ kind: 'opening' }, undisturbed));
    return this;
  }

  async say(...texts: string[]): Promise<string> {
    for (const text of texts)
      await this.#take(
        this.#session.turn(
          { kind: 'heard', transcript: { text, confidence: text === '' ? 0 : 0.9 } },
          undisturbed,
        ),
      );
    return this.said.at(-1)!;
  }

  /** The transfer fails. */
  async refuse(): Promise<string> {
    await this.#take(this.#session.turn({ kind: 'transfer_failed' }, undisturbed));
    return this.said.at(-1)!;
  }

  interruptAfter(heard: string): void {
    this.#session.note({ kind: 'interrupted', heard: heard });
  }

  get outcome() {
    return this.#session.outcome();
  }

  async #take(turn: Parameters<typeof thoughtsOf>[0]): Promise<void> {
    const thoughts = await thoughtsOf(turn);
    this.said.push(thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' '));
    const last = thoughts.at(-1)!;
    this.listensFor = last.kind === 'listen' ? last.hints : null;
    this.isOver = last.kind === 'end';
    this.connects = last.kind === 'transfer' ? last.to : null;
  }
}

function example(name: 'reminder' | 'confirmation' | 'survey') {
  const url = new URL(`../../../examples/playbooks/${name}.json`, import.meta.url);
  return agentCreate.parse(JSON.parse(readFileSync(url, 'utf8')));
}

function call(
  name: Parameters<typeof example>[0],
  variables: Record<string, string> = { name: 'Ada' },
): Promise<Call> {
  const agent = example(name);
  const brief = briefOf({
    playbook: agent.playbook ?? null,
    initialMessage: agent.initial_message!,
    variables,
  });
  return new Call(thinking.open(brief)).begin();
}

describe('the reminder', () => {
  it('moves an appointment, with what was misheard corrected', async () => {
    const talk = await call('reminder');
    await talk.say('no, I need to reschedule', 'yes please');
    expect(talk.listensFor).toMatchObject({ kind: 'date', correction: { kind: 'yes_no' } });
    expect(await talk.say('next Thursday')).toBe('Thursday, November 26th. And at what time?');
    expect(talk.listensFor).toEqual({ kind: 'time', correction: { kind: 'date' } });
    expect(await talk.say('no, I said Tuesday')).toBe(
      'Sorry, my mistake. Tuesday, November 24th. And at what time?',
    );
    expect(await talk.say('half past three')).toBe(
      'So that is Tuesday, November 24th at 3:30 PM. Is that right?',
    );
    expect(talk.listensFor).toEqual({ kind: 'yes_no', correction: { kind: 'time' } });
    expect(await talk.say('no, half past four')).toBe(
      'So that is Tuesday, November 24th at 4:30 PM. Is that right?',
    );
    expect(await talk.say("yes that's right")).toMatch(/^Thank you\./);
    expect(talk.isOver).toBe(true);
    expect(talk.outcome).toMatchObject({
      intent: 'reschedule_appointment',
      resolutionAchieved: true,
      answers: { day: '2026-11-24', time: '16:30' },
      summary: 'Ada would like another appointment on Tuesday, November 24th at 4:30 PM.',
    });
  });

  it('asks anew after a plain no, and says when something is not possible', async () => {
    const talk = await call('reminder');
    await talk.say('no', 'yes');
    expect(await talk.say('today')).toBe(
      'I am sorry, that is not possible. Please name a day, such as next Tuesday, or the third of May.',
    );
    await talk.say('Friday', 'ten');
    expect(await talk.say('no')).toMatch(/^Sorry about that\. We are open from eight/);
    expect(await talk.say('eleven')).toMatch(/at 11 AM/);
    // Whatever is said back is right when the caller says it too.
    expect(await talk.say('eleven, yes')).toMatch(/^Thank you/);
  });

  it('gives up when nothing it says back is ever right', async () => {
    const talk = await call('reminder');
    await talk.say('no', 'yes', 'friday', 'ten');
    for (const time of ['eleven', 'nine', 'eight', 'two', 'three']) await talk.say(`no, ${time}`);
    expect(talk.isOver).toBe(true);
    expect(talk.outcome.answers).not.toHaveProperty('time');
  });
});

describe('the confirmation', () => {
  it('takes a name, a number and a phone number', async () => {
    const talk = await call('confirmation');
    expect(talk.listensFor).toEqual({ kind: 'name', names: ['Ada'] });
    expect(await talk.say('my name is john smith')).toBe('I have John Smith. Is that right?');
    await talk.say('yes correct');
    expect(talk.listensFor).toMatchObject({ kind: 'number', max: 99, isWhole: true });
    expect(await talk.say('sixty')).toMatch(/^That is a big party\. What number/);
    expect(talk.listensFor).toMatchObject({ kind: 'phone_number', plan: 'north_american' });
    expect(await talk.say('four one five triple five two six seven one')).toBe(
      'That is +14155552671, right?',
    );
    expect(await talk.say('yes')).toBe('Thank you, everything is noted. Goodbye.');
    expect(talk.outcome).toMatchObject({
      answers: { contact: 'John Smith', how_many: '60', phone: '+14155552671' },
      summary: 'Ada confirmed the order: 60 plates, ask for John Smith, driver calls +14155552671.',
    });
  });

  it('connects whoever asks for a person, where it knows with whom', async () => {
    const talk = await call('confirmation', { desk_number: '+1 415 555 0100' });
    expect(await talk.say('can I talk to a person please')).toMatch(/^One moment, I am connecting/);
    expect(talk.connects).toBe('+14155550100');
    // Somebody who adds a word while the answer is being made is connected all the same.
    await talk.say('thanks');
    expect(talk.connects).toBe('+14155550100');
    const lost = await call('confirmation', { desk_number: 'the desk' });
    expect(await lost.say('operator')).toBe('A colleague will call you. Goodbye.');
    expect(lost.connects).toBeNull();
  });

  it('tells a caller who could not be connected, and goes on as the playbook says', async () => {
    const talk = await call('confirmation', { desk_number: '+1 415 555 0100' });
    await talk.say('operator');
    expect(await talk.refuse()).toBe(
      'I am sorry, I could not connect you. A colleague will call you. Goodbye.',
    );
    expect(talk.isOver).toBe(true);
    expect(talk.outcome).toMatchObject({ summary: 'The order has to be confirmed by a person.' });
  });

  it('takes back what a transfer without a way out had reached, and says goodbye', async () => {
    const session = thinking.open(
      briefOf({
        playbook: playbookSchema.parse({
          start: 'desk',
          steps: {
            desk: {
              kind: 'transfer',
              to: '+14155550100',
              text: 'One moment.',
              intent: 'connected',
              resolution_achieved: true,
            },
          },
        }),
      }),
    );
    expect(await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed))).toEqual([
      { kind: 'say', text: 'One moment.', interruptible: false },
      { kind: 'transfer', to: '+14155550100' },
    ]);
    expect(session.outcome()).toMatchObject({ intent: 'connected', resolutionAchieved: true });
    const regret = await thoughtsOf(session.turn({ kind: 'transfer_failed' }, undisturbed));
    expect(regret.map((thought) => (thought.kind === 'say' ? thought.text : thought.kind))).toEqual([
      'I am sorry, I could not connect you.',
      'Thank you for your time. Goodbye.',
      'end',
    ]);
    expect(session.outcome()).toMatchObject({ intent: null, resolutionAchieved: false });
  });
});

describe('the survey', () => {
  it.each([
    ['ten', /^10! We are happy/],
    ['I would say seven', /^What should we work on/],
    ['three', /^We are sorry/],
  ])('branches on a rating of %s', async (rating, reply) => {
    const talk = await call('survey');
    expect(await talk.say('sure', rating)).toMatch(reply);
    await talk.say('the breakfast');
    expect(talk.outcome).toMatchObject({ resolutionAchieved: true, answers: { work_on: 'breakfast' } });
  });

  it('agrees on another day', async () => {
    const talk = await call('survey');
    expect(await talk.say('call me later')).toBe('May I call you another day? Which one?');
    expect(await talk.say('Monday')).toBe('I will call you on Monday, November 23rd. Goodbye.');
    expect(talk.outcome.followUp).toMatchObject({ kind: 'call_back', at: Date.UTC(2026, 10, 23, 17, 30) });
  });
});

describe('at any question', () => {
  it.each([
    "don't call me again",
    'please take me off your list',
    'I do not want to be called again',
    'take my name off the list',
    'stop calling me',
    'remove my number please',
  ])('an opt-out is taken: %s', async (text) => {
    for (const before of [[], ['sure'], ['sure', 'nine']]) {
      const talk = await call('survey');
      await talk.say(...before, text);
      expect(talk.isOver).toBe(true);
      expect(talk.outcome).toMatchObject({ intent: 'do_not_call', followUp: { kind: 'suppress' } });
    }
  });

  it('whoever asks for a moment is waited for, also after the last attempt, but not for ever', async () => {
    const talk = await call('reminder');
    await talk.say('', '');
    for (const text of ['one moment please', 'hold on'])
      expect(await talk.say(text)).toBe('Of course, take your time.');
    expect(talk.isOver).toBe(false);
    await talk.say('hold on');
    expect(talk.isOver).toBe(true);
  });

  it('a time to be called at is understood', async () => {
    const talk = await call('reminder');
    expect(await talk.say('call me back tomorrow at three')).toBe(
      'All right, you will hear from us tomorrow at 3 PM. Goodbye.',
    );
    expect(talk.outcome.followUp).toEqual({
      kind: 'call_back',
      at: Date.UTC(2026, 10, 22, 20, 0),
      timeZone: 'America/New_York',
      said: 'tomorrow at 3 PM',
    });
  });

  it('somebody who asks for a person, where there is none, is told so and asked again', async () => {
    const talk = await call('reminder');
    expect(await talk.say('let me talk to someone')).toMatch(
      /nobody here but me.* Will you be able to come\?$/,
    );
  });

  it('an interrupted sentence is said again when the answer shows that it was not heard', async () => {
    const talk = await call('survey');
    await talk.say('sure', 'ten');
    talk.interruptAfter('10! We are');
    expect(await talk.say('what?')).toMatch(/^10! We are happy to hear that\. What should we work on/);
    talk.interruptAfter('10! We are happy to hear that. What should');
    expect(await talk.say('pardon?')).toMatch(/^What should we work on/);
  });
});

it('comes back to a question no more often than the playbook allows', async () => {
  const playbook = playbookSchema.parse({
    start: 'more',
    steps: {
      more: {
        kind: 'ask',
        text: 'Anything else?',
        expect: { kind: 'yes_no' },
        answers: { yes: 'noted', no: 'bye' },
        max_visits: 2,
        otherwise: 'bye',
      },
      noted: { kind: 'say', text: 'Noted.', next: 'more' },
      bye: { kind: 'end', text: 'Goodbye.' },
    },
  });
  const talk = await new Call(thinking.open(briefOf({ playbook }))).begin();
  expect(await talk.say('yes')).toBe('Noted. Anything else?');
  expect(await talk.say('yes')).toBe('Noted. Goodbye.');
  expect(talk.isOver).toBe(true);
});
