import { expect, it } from 'vitest';
import { SLOW_TOOLS } from '#test/support/clinic-tools.js';
import { startPlaybookTalk } from '#test/support/playbook-talks.js';
import { RandomTalk, runRandomTalks } from '#test/support/random-talk.js';
import { cases } from '#test/support/tier.js';

const TALKS = cases(40, 150, 2_000);

/** Every kind of step that takes longer, with ways round in a circle. */
const PLAYBOOK = {
  start: 'greet',
  steps: {
    greet: { kind: 'say', text: '{{initial_message}}', next: 'coming' },
    coming: {
      kind: 'ask',
      text: 'Would you like a visit?',
      expect: { kind: 'yes_no' },
      answers: { yes: 'agree', no: 'other' },
      otherwise: 'agree',
    },
    agree: {
      kind: 'talk',
      goal: 'Agree on a day.',
      tools: ['find_slot', 'transfer', 'end_call', 'note', 'press_keys'],
      collect: {
        day: { kind: 'date', required: true, confirm: true },
        people: { kind: 'number', min: 1, max: 4 },
      },
      exits: [
        { when: { known: ['day'] }, next: 'reserve' },
        { when: { result: { tool: 'find_slot', equals: { path: '$.slot', value: 'none' } } }, next: 'other' },
        { when: { said: 'wants something else' }, next: 'other' },
      ],
      max_turns: 8,
      max_visits: 3,
      otherwise: 'person',
    },
    reserve: {
      kind: 'tool',
      tool: 'book',
      with: { day: '{{day}}' },
      say_while: ['I am booking it.'],
      on_error: 'agree',
      next: 'menu',
    },
    menu: {
      kind: 'press',
      keys: '1',
      wait_for: ['tuesday'],
      max_seconds: 20,
      otherwise: 'other',
      next: 'other',
    },
    other: {
      kind: 'talk',
      text: 'What else can I do?',
      goal: 'Help with anything else.',
      tools: ['find_slot'],
      exits: [
        { when: { said: 'wants a visit' }, next: 'agree' },
        { when: { said: 'has all they need' }, next: 'end' },
      ],
      max_turns: 6,
      otherwise: 'end',
    },
    person: { kind: 'transfer', text: 'I will connect you.', to: '+14155550100', otherwise: 'end' },
    end: { kind: 'end', text: 'Goodbye.' },
  },
  anywhere: { person: 'person' },
};

/** What brings a talk on comes most often. */
const CALLS = [
  ...Array.from({ length: 4 }, () => ['find_slot', { day: 'Tuesday' }] as const),
  ...Array.from({ length: 3 }, () => ['save_answers', { day: '2026-12-01' }] as const),
  ['find_slot', { day: 7 }],
  ['save_answers', { day: '2026-12-01' }],
  ['save_answers', { day: 'last year', people: 3 }],
  ['save_answers', '{"day": '],
  ['save_answers', { day: 'next Tuesday', people: 2 }],
  ['leave_step', { reason: 'wants something else' }],
  ['leave_step', { reason: 'wants a visit' }],
  ['leave_step', { reason: 'has all they need' }],
  ['no_such_tool', {}],
  ['note', { name: 'day', value: 'Tuesday' }],
  ['transfer', {}],
  ['press_keys', { keys: '12w#' }],
  ['end_call', {}],
] satisfies readonly (readonly [name: string, args: unknown])[];

it('keeps random talks through steps well formed, and comes to an end', async () => {
  const sent = await runRandomTalks(
    TALKS,
    (seed) =>
      new RandomTalk(
        seed,
        (parts) => startPlaybookTalk({ playbook: PLAYBOOK, tools: SLOW_TOOLS, ...parts }),
        CALLS,
      ),
  );
  expect(sent).toBeGreaterThan(TALKS / 6);
});
