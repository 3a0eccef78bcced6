import { expect, it } from 'vitest';
import { toInstant } from '../../../../src/kernel/clock.js';
import { playbookSchema } from '../../../../src/speech/playbook/playbook.js';
import { createPlaybookThinking } from '../../../../src/speech/playbook/playbook-thinking.js';
import { mindOf, thoughtsOf, undisturbed } from '../../../contracts/thinking.js';

const playbook = (fields: ('day' | 'time')[]) => {
  const ask = (kind: 'date' | 'time', next: string) => ({
    ...{ kind: 'ask', text: 'When?', expect: { kind }, next, otherwise: 'bye' },
  });
  const [first, second] = fields;
  return playbookSchema.parse({
    start: first,
    steps: {
      ...(fields.includes('day') ? { day: ask('date', second ?? 'again') } : {}),
      ...(fields.includes('time') ? { time: ask('time', 'again') } : {}),
      again: {
        ...{ kind: 'call_back', text: 'Until then.' },
        ...(fields.includes('day') ? { date: 'day' } : {}),
        ...(fields.includes('time') ? { time: 'time' } : {}),
      },
      bye: { kind: 'end', text: 'Goodbye.' },
    },
  });
};

/** When the other call is to be made, after these answers; null where nothing is planned. */
async function plannedAt(
  now: string,
  fields: ('day' | 'time')[],
  ...answers: string[]
): Promise<string | null> {
  const thinking = createPlaybookThinking({
    clock: { wallMs: () => Date.parse(now) },
    timeZone: 'America/New_York',
  });
  const session = thinking.open(mindOf({ playbook: playbook(fields) }));
  await thoughtsOf(session.begin(undisturbed));
  for (const text of answers) await thoughtsOf(session.reply({ text, confidence: 0.9 }, undisturbed));
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
