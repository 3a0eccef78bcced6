import { describe, expect, it } from 'vitest';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

/** Half past twelve in New York, on Saturday, 21 November 2026. */
const clock = { wallMs: () => Date.UTC(2026, 10, 21, 17, 30) };
const thinking = createPlaybooks({ clock, timeZone: 'America/New_York' });

const booking = (confirm: { day?: string; time?: string } = {}) =>
  playbookSchema.parse({
    start: 'now',
    steps: {
      now: {
        kind: 'ask',
        text: 'Shall we find a day?',
        expect: { kind: 'yes_no' },
        answers: { yes: 'day', no: 'bye' },
        otherwise: 'bye',
      },
      day: {
        kind: 'ask',
        text: 'Which day?',
        expect: { kind: 'date', earliest: 'today+1' },
        confirm: confirm.day,
        next: 'noted',
        otherwise: 'bye',
      },
      noted: { kind: 'say', text: 'Good.', next: 'time' },
      time: {
        kind: 'ask',
        text: 'At what time?',
        confirm: confirm.time,
        next: 'booked',
        otherwise: 'bye',
        expect: { kind: 'time', earliest: '08:00', latest: '18:00' },
      },
      booked: { kind: 'end', text: 'Until {{day}} at {{time}}.' },
      bye: { kind: 'end', text: 'Goodbye.' },
    },
  });

/** What the agent says last, and what it has learnt. */
async function talk(playbook: ReturnType<typeof booking>, ...says: string[]) {
  const session = thinking.open(briefOf({ playbook }));
  await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  let last = await thoughtsOf(
    session.turn({ kind: 'heard', transcript: { text: says[0]!, confidence: 0.9 } }, undisturbed),
  );
  for (const text of says.slice(1))
    last = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
    );
  const said = last.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
  return { said, last, answers: session.outcome().answers };
}

const BOTH = { day: '2026-11-24', time: '15:00' };

describe('two answers in one sentence', () => {
  it.each([
    'Tuesday at three',
    'on Tuesday the 24th at 3 pm please',
    'three o’clock on Tuesday',
    'November 24th 2026 at three',
    'no, Monday at two, no, Tuesday at three',
  ])('%s: a day and a time are one moment', async (text) => {
    const { said, answers } = await talk(booking(), 'yes', text);
    expect(said).toBe('Good. Until Tuesday, November 24th at 3 PM.');
    expect(answers).toMatchObject(BOTH);
  });

  it('are each said back where the playbook says so', async () => {
    const playbook = booking({ day: '{{day}}, right?', time: '{{time}}, right?' });
    expect((await talk(playbook, 'yes', 'Tuesday at three')).said).toBe('Tuesday, November 24th, right?');
    expect((await talk(playbook, 'yes', 'Tuesday at three', 'yes')).said).toBe('Good. 3 PM, right?');
    const changed = await talk(
      playbook,
      'yes',
      'Tuesday at three',
      'no, Wednesday',
      'yes',
      'no, at four',
      'yes',
    );
    expect(changed.answers).toMatchObject({ day: '2026-11-25', time: '16:00' });
  });

  it('are heard beside a yes, said back or not', async () => {
    const playbook = booking({ day: '{{day}}, right?' });
    expect((await talk(playbook, 'yes, on Tuesday at three')).said).toBe('Tuesday, November 24th, right?');
    expect((await talk(playbook, 'yes, on Tuesday at three', 'yes')).answers).toMatchObject(BOTH);
    expect((await talk(booking(), 'yes, on Tuesday')).said).toBe('Good. At what time?');
    expect((await talk(booking(), 'yes, on Tuesday at three')).answers).toMatchObject(BOTH);
  });

  it.each(['Tuesday', 'November 24th 2026', 'Tuesday after three', 'Tuesday at seven in the morning'])(
    '%s: the time is asked for where it was not said, stays open, or cannot be',
    async (text) => {
      expect((await talk(booking(), 'yes', text)).said).toBe('Good. At what time?');
    },
  );

  it('are listened for', async () => {
    const { last } = await talk(booking(), 'yes');
    expect(last.at(-1)).toMatchObject({ hints: { kind: 'date', ahead: { kind: 'time' } } });
    const { last: time } = await talk(booking(), 'yes', 'Tuesday');
    expect(time.at(-1)).not.toHaveProperty('hints.ahead');
  });
});

/** A table: how many, when, and everything said back. */
const table = (first: 'people' | 'day') => {
  const order = first === 'people' ? ['people', 'day', 'time'] : ['day', 'time', 'people'];
  const next = (name: string) => order[order.indexOf(name) + 1] ?? 'booked';
  const ask = (name: string, expect: object) => ({
    kind: 'ask',
    text: `${name}?`,
    expect,
    confirm: `{{${name}}}, right?`,
    next: next(name),
    otherwise: 'bye',
  });
  return playbookSchema.parse({
    start: first,
    steps: {
      people: ask('people', { kind: 'number', min: 1, max: 12 }),
      day: ask('day', { kind: 'date' }),
      time: ask('time', { kind: 'time', earliest: '12:00', latest: '22:00' }),
      booked: { kind: 'end', text: 'Booked.' },
      bye: { kind: 'end', text: 'Goodbye.' },
    },
  });
};

describe('"for four on Friday at seven"', () => {
  it.each(['people', 'day'] as const)('answers all three questions, asked for %s first', async (first) => {
    const says = ['for four on Friday at seven', 'yes', 'yes', 'yes'];
    const { said, answers } = await talk(table(first), ...says);
    expect(said).toBe('Booked.');
    expect(answers).toMatchObject({ people: '4', day: '2026-11-27', time: '19:00' });
  });

  it('is listened for', async () => {
    const session = thinking.open(briefOf({ playbook: table('people') }));
    const opening = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
    expect(opening.at(-1)).toMatchObject({ hints: { kind: 'number', ahead: { kind: 'date' } } });
  });

  it('is no number where none was told', async () => {
    expect((await talk(table('day'), 'Friday at seven', 'yes', 'yes')).said).toBe('People?');
  });
});
