import { describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks, type PlaybookBrief } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const playbook = (fields: ('day' | 'time')[]) => {
  const ask = (kind: 'date' | 'time', next: string) => ({
    kind: 'ask',
    text: 'When?',
    expect: { kind },
    next,
    otherwise: 'bye',
  });
  const [first, second] = fields;
  return playbookSchema.parse({
    start: first,
    steps: {
      ...(fields.includes('day') ? { day: ask('date', second ?? 'again') } : {}),
      ...(fields.includes('time') ? { time: ask('time', 'again') } : {}),
      again: {
        kind: 'call_back',
        text: 'Until then.',
        ...(fields.includes('day') ? { date: 'day' } : {}),
        ...(fields.includes('time') ? { time: 'time' } : {}),
      },
      bye: { kind: 'end', text: 'Goodbye.' },
    },
  });
};

/** A talk at that time, and what the agent said last. */
async function talk(
  now: string,
  fields: ('day' | 'time')[],
  answers: readonly string[],
  brief: Partial<PlaybookBrief> = {},
) {
  const thinking = createPlaybooks({
    clock: { wallMs: () => Date.parse(now) },
    timeZone: 'America/New_York',
  });
  const session = thinking.open(briefOf({ playbook: playbook(fields), ...brief }));
  let thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of answers)
    thoughts = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
    );
  const words = thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
  return { session, words, hasEnded: thoughts.at(-1)?.kind === 'end' };
}

/** When the other call is to be made, after these answers; null where nothing is planned. */
async function plannedAt(
  now: string,
  fields: ('day' | 'time')[],
  ...answers: string[]
): Promise<string | null> {
  const { session } = await talk(now, fields, answers);
  const { followUp } = session.outcome();
  if (followUp?.kind !== 'call_back' || followUp.at === null) return null;
  return toInstant(followUp.at).slice(0, 16);
}

it.each<[string, ('day' | 'time')[], string[], string]>([
  ['a day and a time', ['day', 'time'], ['Monday', 'half past two'], '2026-11-23T19:30'],
  ['a day alone: at the time of this call', ['day'], ['Monday'], '2026-11-23T17:30'],
  ['today, and no time: in an hour', ['day'], ['today'], '2026-11-21T18:30'],
  ['a time alone, still to come', ['time'], ['three'], '2026-11-21T20:00'],
  ['a time alone that has passed: tomorrow', ['time'], ['ten'], '2026-11-22T15:00'],
  ['the end of the year', ['day', 'time'], ["New Year's Day", 'noon'], '2027-01-01T17:00'],
  ['an hour that the clocks skip', ['day', 'time'], ['March 14 2027', '2:30 am'], '2027-03-14T07:30'],
  [
    'an hour that the clocks show twice',
    ['day', 'time'],
    ['November 7 2027', 'half past one in the morning'],
    '2027-11-07T05:30',
  ],
])('another call is agreed on for %s', async (_name, fields, answers, at) => {
  // Half past twelve in New York.
  expect(await plannedAt('2026-11-21T17:30:00Z', fields, ...answers)).toBe(at);
});

it.each([
  ['asks for it', ['call me back tomorrow at three']],
  ['is asked for a day', ['tomorrow']],
])('nobody who hides their number is promised a call: one who %s', async (_name, answers) => {
  const { session, words, hasEnded } = await talk('2026-11-21T17:30:00Z', ['day'], answers, {
    isReachable: false,
  });
  expect([words, hasEnded]).toEqual([
    'I am sorry, your number is hidden, so we cannot call you. Please call us again. Goodbye.',
    true,
  ]);
  // Whoever reads about the call learns what was wanted.
  expect(session.outcome().followUp).toMatchObject({ kind: 'call_back', said: expect.stringMatching(/\S/) });
});

describe('a time that has passed', () => {
  const NOON = '2026-11-21T17:30:00Z';
  const UNPLANNED = { kind: 'call_back', at: null, timeZone: 'America/New_York', said: '' };

  it('is not promised: the agent says so, and asks for the day again', async () => {
    const { session, words, hasEnded } = await talk(NOON, ['day', 'time'], ['today', 'ten']);
    expect([words, hasEnded]).toEqual(['I am sorry, that time has passed. When?', false]);
    // Whoever hangs up now wanted to be called all the same.
    expect(session.outcome()).toMatchObject({ intent: null, followUp: UNPLANNED });
    const again = ['today', 'ten', 'tomorrow', 'ten'];
    expect(await plannedAt(NOON, ['day', 'time'], ...again)).toBe('2026-11-22T15:00');
    expect((await talk(NOON, ['day', 'time'], again)).words).toBe('Until then.');
  });

  it('is asked about only so often', async () => {
    const answers = Array.from({ length: 5 }, () => ['today', 'ten']).flat();
    expect((await talk(NOON, ['day', 'time'], answers.slice(2))).hasEnded).toBe(false);
    const { session, words, hasEnded } = await talk(NOON, ['day', 'time'], answers);
    expect([words, hasEnded]).toEqual(['All right, another time then. Goodbye.', true]);
    expect(session.outcome()).toMatchObject({ followUp: UNPLANNED });
  });

  it('is told of whoever says goodbye with it', async () => {
    const { session, words } = await talk(NOON, ['day', 'time'], ['today', 'at ten, goodbye']);
    expect(words).toBe('I am sorry, that time has passed. Thank you for your time. Goodbye.');
    expect(session.outcome()).toMatchObject({ followUp: UNPLANNED });
  });

  it.each<[string[], string]>([
    [['three'], '2026-11-21T20:00'],
    [['tomorrow at nine'], '2026-11-22T14:00'],
    [['no, call me tomorrow at nine'], '2026-11-22T14:00'],
    [['in half an hour'], '2026-11-21T18:00'],
    [['pardon?', 'at four'], '2026-11-21T21:00'],
    [['today at nine in the morning', 'Monday at ten'], '2026-11-23T15:00'],
  ])('of a caller who has no time now is asked for once more: %j', async (answers, at) => {
    const before = await talk(NOON, ['day'], ['call me back today at ten']);
    expect(before.words).toBe('I am sorry, that time has passed. When shall we call you?');
    expect(before.hasEnded).toBe(false);
    const after = await talk(NOON, ['day'], ['call me back today at ten', ...answers]);
    expect(after.hasEnded).toBe(true);
    expect(after.words).toMatch(/^All right, you will hear from us .* Goodbye\.$/);
    expect(await plannedAt(NOON, ['day'], 'call me back today at ten', ...answers)).toBe(at);
  });

  it.each<[string[], string]>([
    [['I do not know', 'I really do not know'], 'All right, another time then. Goodbye.'],
    [['today at ten', 'today at ten'], 'All right, another time then. Goodbye.'],
    [['no'], 'All right, another time then. Goodbye.'],
    [['goodbye'], 'Thank you for your time. Goodbye.'],
  ])('of a caller who names no other is left at that: %j', async (answers, words) => {
    const all = ['call me back today at ten', ...answers];
    const left = await talk(NOON, ['day'], all);
    expect([left.words, left.hasEnded]).toEqual([words, true]);
    expect(left.session.outcome()).toMatchObject({ intent: 'call_back_later', followUp: UNPLANNED });
  });

  it('is asked for once more when nothing is heard, and goes with a turn that is taken back', async () => {
    const { session } = await talk(NOON, ['day'], ['call me back today at ten']);
    const woken = await thoughtsOf(session.turn({ kind: 'silence', prompts: 1 }, undisturbed));
    expect(woken).toMatchObject([
      { text: 'Are you still there?' },
      { text: 'When shall we call you?' },
      { kind: 'listen', hints: { kind: 'time' } },
    ]);
    const { session: hasty } = await talk(NOON, ['day'], ['call me back today at ten']);
    hasty.note({ kind: 'taken_back' });
    await thoughtsOf(
      hasty.turn({ kind: 'heard', transcript: { text: 'Monday', confidence: 0.9 } }, undisturbed),
    );
    expect(hasty.outcome()).toMatchObject({ answers: { day: '2026-11-23' } });
  });
});

it.each([
  ['another question saved something else under the name of the day', 'red one'],
  ['what was said there looks like a day and is none', '2026-99-99'],
])('no call is planned where %s', async (_, answer) => {
  const mixed = playbookSchema.parse({
    start: 'which',
    steps: {
      which: {
        kind: 'ask',
        text: 'When?',
        expect: { kind: 'anything' },
        save_as: 'day',
        next: 'again',
        otherwise: 'day',
      },
      day: {
        kind: 'ask',
        text: 'Which day?',
        expect: { kind: 'date' },
        save_as: 'day',
        next: 'again',
        otherwise: 'bye',
      },
      again: { kind: 'call_back', text: 'Until then.', date: 'day' },
      bye: { kind: 'end', text: 'Goodbye.' },
    },
  });
  const { session, hasEnded } = await talk('2026-11-21T17:30:00Z', ['day'], [answer], { playbook: mixed });
  expect(hasEnded).toBe(true);
  expect(session.outcome().followUp).toMatchObject({ kind: 'call_back', at: null });
});
