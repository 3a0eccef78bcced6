import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { defaultPlaybook } from '#playbook/book/default-playbook.js';
import { playbookSchema, type Playbook } from '#playbook/book/playbook.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-step.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { readRetraction } from '#playbook/understanding/retraction.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

/** A talk along a playbook, and what the agent said last. */
async function talk(playbook: Playbook, ...answers: string[]) {
  const session = createPlaybooks().open(briefOf({ playbook, variables: { name: 'Ada' } }));
  let thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of answers)
    thoughts = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
    );
  const words = thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
  return { words, outcome: session.outcome(), hasEnded: thoughts.at(-1)?.kind === 'end' };
}

describe('a confirmed appointment', () => {
  it.each([
    "actually I can't come",
    'actually no I want to cancel',
    "oh sorry I can't make it",
    "wait no I won't be there",
    'oh no I just remembered I have to cancel',
    'I would like to cancel',
    'I need to reschedule',
    "I can't come after all",
    "actually I can't",
    "I'm afraid something came up I can't attend",
    'on second thoughts I will not come',
    'I changed my mind I am not coming',
    'I changed my mind',
    "actually I've changed my mind sorry",
    'I take it back',
    'oh sorry I have changed my mind about that',
    'I said yes but I meant no',
    'I meant to say no',
    'I should have said no',
    "I take that back I'm not coming",
    "my mistake I can't come",
  ])('is declined by who says one question later: %s', async (text) => {
    const { outcome, words, hasEnded } = await talk(defaultPlaybook, 'yes', 'yes', text);
    expect(outcome).toMatchObject({ resolutionAchieved: false, intent: 'decline_appointment' });
    expect(outcome.answers).toEqual({ coming: 'no', good_time: 'yes' });
    expect(words).toMatch(/^Sorry, my mistake\. Thank you for telling us/);
    expect(hasEnded).toBe(true);
  });

  it.each(["actually I can't come", 'sorry I have to cancel my appointment', "wait I can't make it anymore"])(
    'is declined by who says two questions later: %s',
    async (text) => {
      const { outcome } = await talk(defaultPlaybook, 'yes', 'yes', 'morning', text);
      expect(outcome).toMatchObject({ resolutionAchieved: false, intent: 'decline_appointment' });
      expect(outcome.answers).toMatchObject({ coming: 'no', slot: 'morning' });
    },
  );

  it.each([
    ['the afternoon', 'afternoon'],
    ["actually I can't come in the morning, the afternoon", 'afternoon'],
    ['actually I do not mind', 'either'],
    ['sorry the morning', 'morning'],
    ['I changed my mind the morning please', 'morning'],
    ["he changed his mind let's say morning", 'morning'],
  ])('stands where only the next question is answered: %s', async (text, slot) => {
    const { outcome } = await talk(defaultPlaybook, 'yes', 'yes', text);
    expect(outcome).toMatchObject({ resolutionAchieved: true, answers: { coming: 'yes', slot } });
  });

  it.each(['no', 'actually no', "sorry I don't want one", "actually my wife can't come"])(
    'stands where only the reminder is declined: %s',
    async (text) => {
      const { outcome } = await talk(defaultPlaybook, 'yes', 'yes', 'morning', text);
      expect(outcome).toMatchObject({ resolutionAchieved: true, answers: { coming: 'yes' } });
    },
  );

  it('is declined on the way out, too', async () => {
    const { outcome, hasEnded } = await talk(defaultPlaybook, 'yes', 'yes', "actually I can't come bye");
    expect(outcome).toMatchObject({ resolutionAchieved: false, answers: { coming: 'no' } });
    expect(hasEnded).toBe(true);
  });
});

it.each([
  ["sorry I don't have time", 'no'],
  ["sorry I can't come", 'no'],
  ['actually yes', 'yes'],
])('answers what is asked now, not whether it was a good time to talk: %s', async (text, coming) => {
  const { outcome } = await talk(defaultPlaybook, 'yes', text);
  expect(outcome.answers).toEqual({ good_time: 'yes', coming });
});

it('counts nothing that was reached by an answer that is taken back', async () => {
  const playbook = playbookSchema.parse({
    start: 'car',
    steps: {
      car: {
        kind: 'ask',
        text: 'Do you still have the car?',
        expect: { kind: 'yes_no' },
        answers: { yes: 'sold', no: 'thanks' },
        otherwise: 'thanks',
      },
      sold: { kind: 'say', text: 'Good.', next: 'day', intent: 'has_car', resolution_achieved: true },
      day: { kind: 'ask', text: 'Which day?', expect: { kind: 'date' }, next: 'thanks', otherwise: 'thanks' },
      thanks: { kind: 'end', text: 'Thank you.' },
    },
  });
  const { outcome } = await talk(playbook, 'yes', "sorry I don't have the car anymore");
  expect(outcome).toMatchObject({ intent: null, resolutionAchieved: false, answers: { car: 'no' } });
});

it('takes "no problem" for a no where the question asks for trouble', async () => {
  const playbook = playbookSchema.parse({
    start: 'trouble',
    steps: {
      trouble: {
        kind: 'ask',
        text: 'Did you have any trouble?',
        expect: { kind: 'yes_no' },
        next: 'thanks',
        otherwise: 'thanks',
      },
      thanks: { kind: 'end', text: 'Thank you.' },
    },
  });
  expect((await talk(playbook, 'no problems at all')).outcome.answers).toEqual({ trouble: 'no' });
});

describe('taking back that one will come', () => {
  const settled = [
    {
      name: 'coming',
      asked: 'Can you come on Friday?',
      expectation: { kind: 'yes_no' },
      value: 'yes',
      isLast: true,
    },
  ] as const;
  const read = (text: string, expectation: PlaybookExpectation, asked: string) =>
    readRetraction(
      text,
      expectation,
      { now: DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' }), region: 'US', asked },
      settled,
    )?.value ?? null;

  it.each<[string, PlaybookExpectation['kind'], string, 'no' | null]>([
    ["actually I can't come", 'time', 'At what time?', 'no'],
    ["sorry I can't make it on friday", 'time', 'At what time?', 'no'],
    ["actually I can't", 'number', 'How many are you?', 'no'],
    ["actually I can't come", 'name', 'What is your name?', 'no'],
    ["actually I can't come", 'anything', 'Anything else?', 'no'],
    ["actually I can't come", 'yes_no', 'Shall we send a reminder?', 'no'],
    ["actually I can't come on monday", 'date', 'Which day suits you?', null],
    ['sorry not at three', 'time', 'At what time?', null],
    ["actually I can't", 'yes_no', 'Can you bring your card?', null],
    ["no I can't come", 'yes_no', 'Will your wife come too?', null],
    ["actually she can't come", 'yes_no', 'Is your wife well?', null],
    [
      "actually I won't come alone my brother and his three children are with me",
      'anything',
      'Anything else?',
      null,
    ],
    ['actually yes I can come', 'time', 'At what time?', null],
    ["I'm not sure actually", 'time', 'At what time?', null],
  ])('%s to a question for a %s, “%s”: %s', (text, kind, asked, value) => {
    expect(read(text, { kind } as PlaybookExpectation, asked)).toBe(value);
  });
});
