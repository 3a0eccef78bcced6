import { describe, expect, it } from 'vitest';
import {
  DEFAULT_AGENT_NAME,
  DEFAULT_INITIAL_MESSAGE,
  defaultPlaybook,
} from '#playbook/definition/default-playbook.js';
import { playbookSchema, type Playbook } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks, type PlaybookBrief } from '#test/support/playbooks.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Outcome } from '#dialogue/outcome.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const RECEPTIONIST = briefOf({
  agentName: DEFAULT_AGENT_NAME,
  initialMessage: DEFAULT_INITIAL_MESSAGE,
  playbook: defaultPlaybook,
  variables: { name: 'Ada' },
});

/** A call as its two sides: what the caller says is given, what the agent says in between is returned. */
async function talk(brief: PlaybookBrief, callerSays: readonly string[]) {
  const session = createPlaybooks().open(brief);
  const turns = [await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed))];
  for (const text of callerSays) {
    turns.push(
      await thoughtsOf(
        session.turn({ kind: 'heard', transcript: { text, confidence: text === '' ? 0 : 0.9 } }, undisturbed),
      ),
    );
  }
  return { said: turns.map(spoken), last: turns.at(-1)!.at(-1)!, outcome: session.outcome() };
}

function spoken(turn: readonly DialogueOutput[]): string {
  return turn.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
}

describe('the default agent', () => {
  it('carries a call of five turns to its end', async () => {
    const call = await talk(RECEPTIONIST, [
      'yes this is a good time',
      'yes I will be there',
      'the morning please',
      'yes please',
    ]);
    expect(call.said).toEqual([
      'Hello Ada, this is the Callwright sandbox clinic, calling about your appointment tomorrow at ten. Is this a good time to talk?',
      'Will you come to your appointment?',
      'Very good. For your next visit, do you prefer the morning or the afternoon?',
      'Good, the morning then. Shall we send you a text message as a reminder?',
      'We will send you a text message. Thank you, and see you tomorrow at ten. Goodbye.',
    ]);
    expect(call.last).toEqual({ kind: 'end' });
    expect(call.outcome).toEqual<Outcome>({
      intent: 'confirm_appointment',
      resolutionAchieved: true,
      answers: { good_time: 'yes', coming: 'yes', slot: 'morning', text_reminder: 'yes' },
      inOwnWords: [],
      said: { good_time: 'yes', coming: 'yes', slot: 'morning', text_reminder: 'yes' },
      summary: 'Ada confirmed the appointment and prefers this time for the next visit: morning.',
    });
  });

  it.each([
    { says: ['yes', 'no I can not come'], intent: 'decline_appointment' },
    { says: ['yes', 'I need to cancel'], intent: 'decline_appointment' },
    { says: ['not right now'], intent: 'not_now' },
    { says: ["I'm driving"], intent: 'not_now' },
    { says: ['yes', 'call me back later'], intent: 'call_back_later' },
    { says: ['', '', ''], intent: null },
    { says: ['please stop calling me'], intent: 'do_not_call' },
    { says: ['wrong number'], intent: 'wrong_number' },
    { says: ['goodbye'], intent: 'end_call' },
  ])('ends politely and without success when the caller says $says', async ({ says, intent }) => {
    const call = await talk(RECEPTIONIST, says);
    expect(call.last).toEqual({ kind: 'end' });
    expect(call.said.at(-1)).toMatch(/Goodbye\.$/);
    expect(call.outcome).toMatchObject({ intent, resolutionAchieved: false });
  });

  it('keeps what was reached when the caller leaves later', async () => {
    const call = await talk(RECEPTIONIST, ['yes', 'yes', 'sorry, I have to go']);
    expect(call.last).toEqual({ kind: 'end' });
    expect(call.outcome).toMatchObject({ intent: 'confirm_appointment', resolutionAchieved: true });
  });

  it('goes to the end by itself when an answer comes with a goodbye', async () => {
    const late = await talk(RECEPTIONIST, ['yes', 'yes', 'mornings', 'no thank you goodbye']);
    expect(late.said.at(-1)).toBe('All right. Thank you, and see you tomorrow at ten. Goodbye.');
    const early = await talk(RECEPTIONIST, ['yes', 'yes I will come, bye']);
    expect(early.said.at(-1)).toBe('Very good. Thank you for your time. Goodbye.');
    expect(early.outcome).toMatchObject({ resolutionAchieved: true, answers: { coming: 'yes' } });
  });

  it('asks again with other words, and says who is calling', async () => {
    const call = await talk(RECEPTIONIST, ['', 'yes', 'who is this?', 'pardon?']);
    expect(call.said.slice(1)).toEqual([
      'Sorry, do you have a minute? Please say yes or no.',
      'Will you come to your appointment?',
      `Hello Ada, this is the Callwright sandbox clinic, calling about your appointment tomorrow at ten. Will you come to your appointment?`,
      'Will you come to your appointment?',
    ]);
  });

  it('gives a moment to who asks for it, but not for ever', async () => {
    const call = await talk(RECEPTIONIST, [
      'hold on',
      'just a minute',
      'one moment',
      'wait a second',
      'hold on',
    ]);
    expect(call.said.slice(1, 3)).toEqual(['Of course, take your time.', 'Of course, take your time.']);
    expect(call.last).toEqual({ kind: 'end' });
  });

  it('reads well without a name', async () => {
    const call = await talk({ ...RECEPTIONIST, variables: {} }, ['yes', 'yes', 'either', 'no']);
    expect(call.said[0]).toMatch(/^Hello, this is the Callwright sandbox clinic,/);
    expect(call.outcome.summary).toMatch(/^The customer confirmed the appointment/);
  });

  it('listens for what it asked', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    // With the question's own words for yes and no.
    expect((await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed))).at(-1)).toMatchObject({
      kind: 'listen',
      hints: { kind: 'yes_no', phrases: expect.arrayContaining(['call me later']) },
    });
    await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: 'yes', confidence: 1 } }, undisturbed),
    );
    const third = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: 'yes', confidence: 1 } }, undisturbed),
    );
    expect(third.at(-1)).toMatchObject({ kind: 'listen', hints: { kind: 'choice' } });
  });

  it('lets nobody talk over its greeting and its goodbye', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    const opening = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    expect(opening.map((thought) => thought.kind === 'say' && thought.interruptible)).toEqual([
      false,
      true,
      false,
    ]);
    const closing = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: 'not now', confidence: 1 } }, undisturbed),
    );
    expect(closing[0]).toMatchObject({ kind: 'say', interruptible: false });
  });

  it('says goodbye once more to a caller who goes on after the end', async () => {
    const call = await talk(RECEPTIONIST, ['not now', 'wait']);
    expect(call.said.at(-1)).toBe('Thank you for your time. Goodbye.');
    expect(call.last).toEqual({ kind: 'end' });
  });

  it('does not count silence as a failed answer', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    for (let prompts = 1; prompts <= 5; prompts++) {
      const thoughts = await thoughtsOf(session.turn({ kind: 'silence', prompts: prompts }, undisturbed));
      expect(thoughts.at(-1)).toMatchObject({ kind: 'listen' });
      expect(spoken(thoughts)).toMatch(
        prompts === 1 ? /^Are you still there\?/ : /^I am sorry, I cannot hear/,
      );
    }
    const next = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: 'yes', confidence: 1 } }, undisturbed),
    );
    expect(spoken(next)).toBe('Will you come to your appointment?');
  });

  it.each([
    { wording: null, says: 'I still cannot hear you, so I will hang up now. Goodbye.' },
    { wording: { nobody_there: 'Bye, {{name}}.' }, says: 'Bye, Ada.' },
  ])('takes its leave of a caller who says nothing: $says', async ({ wording, says }) => {
    const session = createPlaybooks().open({
      ...RECEPTIONIST,
      playbook: { ...defaultPlaybook, wording },
    });
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    const leave = await thoughtsOf(session.turn({ kind: 'goodbye' }, undisturbed));
    expect([spoken(leave), leave.at(-1)]).toEqual([says, { kind: 'end' }]);
    // Should they speak before they have heard it, the question still waits.
    session.note({ kind: 'interrupted', heard: '' });
    session.note({ kind: 'taken_back' });
    const next = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: 'yes', confidence: 1 } }, undisturbed),
    );
    expect(spoken(next)).toBe('Will you come to your appointment?');
  });

  it('forgets a turn that was dropped before its first thought', async () => {
    const session = createPlaybooks().open(RECEPTIONIST);
    await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: 'no', confidence: 1 } }, AbortSignal.abort()),
    );
    const next = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: 'yes', confidence: 1 } }, undisturbed),
    );
    expect(spoken(next)).toBe('Will you come to your appointment?');
  });
});

describe('an agent with an opening message and nothing else', () => {
  const greeting = briefOf({ initialMessage: 'Hello {{name}}, your parcel has arrived.' });

  it.each([
    { says: ['no thank you'], intent: 'no_message', achieved: true },
    { says: ['Please leave it with my neighbour.'], intent: 'leave_message', achieved: true },
    { says: ['yes please', 'I will fetch it on Monday.'], intent: 'leave_message', achieved: true },
    { says: ['', '', ''], intent: null, achieved: false },
    { says: ['yes', '', ''], intent: null, achieved: false },
  ])('comes to an end when the caller says $says', async ({ says, intent, achieved }) => {
    const call = await talk(greeting, says);
    expect(call.said[0]).toBe(
      'Hello, your parcel has arrived. Is there anything you would like me to pass on?',
    );
    expect(call.last).toEqual({ kind: 'end' });
    expect(call.outcome).toMatchObject({ intent, resolutionAchieved: achieved });
  });

  it('takes the note as it was said', async () => {
    const call = await talk(greeting, ['Leave it with my neighbour.']);
    expect(call.outcome.answers).toEqual({ message: 'Leave it with my neighbour.' });
    expect(call.outcome.summary).toBe('The customer left a message: Leave it with my neighbour.');
  });

  it('waits for the answer when the message is a question', async () => {
    const call = await talk(briefOf({ initialMessage: 'Hello, how can I help you?' }), [
      'I need a new appointment.',
      'no',
    ]);
    expect(call.said).toEqual([
      'Hello, how can I help you?',
      'Thank you. Is there anything you would like me to pass on?',
      'Thank you for your time. Goodbye.',
    ]);
    expect(call.outcome.answers).toMatchObject({ first_answer: 'I need a new appointment.' });
  });
});

describe('a playbook of one’s own', () => {
  const survey = playbookSchema.parse({
    start: 'rating',
    steps: {
      rating: {
        kind: 'ask',
        text: 'How was it, {{name|my friend}}?',
        expect: {
          kind: 'choice',
          options: [
            { value: 'very_good', phrases: ['very good', 'great'] },
            { value: 'bad', phrases: ['bad', 'terrible'] },
          ],
        },
        save_as: 'rating',
        next: 'noted',
        retry: ['Was it good?', 'Good or bad?'],
        max_attempts: 4,
        otherwise: 'lost',
      },
      noted: {
        kind: 'reply',
        to: 'rating',
        texts: { bad: 'I am sorry to hear that.' },
        text: 'You said {{rating}}.',
        next: 'bye',
      },
      bye: { kind: 'end', intent: 'rated' },
      lost: { kind: 'end', text: 'Never mind.' },
    },
    wording: { goodbye: 'So long.' },
  }) satisfies Playbook;
  const brief = briefOf({ playbook: survey });

  it('replies to the answer and fills what it learnt', async () => {
    expect((await talk(brief, ['it was great'])).said[1]).toBe('You said very good.');
    expect((await talk(brief, ['terrible'])).said[1]).toBe('I am sorry to hear that.');
  });

  it('ends in silence where no closing words are given', async () => {
    expect((await talk(brief, ['bad'])).last).toEqual({ kind: 'end' });
  });

  it('goes through the rewordings, repeats the last one, then gives up', async () => {
    const call = await talk(brief, ['', '', '', '']);
    expect(call.said).toEqual([
      'How was it, my friend?',
      'Was it good?',
      'Good or bad?',
      'Good or bad?',
      'Never mind.',
    ]);
  });

  it('uses its own words for what belongs to no step', async () => {
    expect((await talk(brief, ['goodbye'])).said[1]).toBe('So long.');
  });

  it('has no notion of success unless a step names one', async () => {
    expect((await talk(brief, ['bad'])).outcome).toMatchObject({ intent: 'rated', resolutionAchieved: null });
  });
});
