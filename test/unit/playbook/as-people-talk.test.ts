import { readFileSync } from 'node:fs';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { agentCreate } from '#agents/definitions/agent-input.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-step.js';
import { readValue } from '#playbook/values/value.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

const clock = { wallMs: () => Date.UTC(2026, 10, 21, 17, 30) };
const thinking = createPlaybooks({ clock, timeZone: 'America/New_York' });
const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

/** What the agent of an example says after all that, and what it has learnt. */
async function talk(example: string, said: readonly string[], variables: Record<string, string> = {}) {
  const url = new URL(`../../../examples/playbooks/${example}.json`, import.meta.url);
  const agent = agentCreate.parse(JSON.parse(readFileSync(url, 'utf8')));
  const session = thinking.open(
    briefOf({
      playbook: agent.playbook ?? null,
      initialMessage: agent.initial_message!,
      variables: { name: 'Ada Lovelace', ...variables },
    }),
  );
  let thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of said)
    thoughts = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
    );
  const last = thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
  return { last, outcome: session.outcome() };
}

describe('the payment reminder', () => {
  const KNOWN = { known_birth_date: '1980-03-01', balance: 'Forty dollars', due: 'May' };

  it('waits while the phone is handed over, and knows who comes to it by the name', async () => {
    const husband = await talk('payment', ['this is her husband, let me get her'], KNOWN);
    expect(husband.last).toContain('take your time');
    const ada = await talk('payment', ['this is her husband, let me get her', 'hello, this is Ada'], KNOWN);
    expect(ada.last).toContain('date of birth');
  });

  it('tells nobody else what is due', async () => {
    const { outcome } = await talk('payment', ['this is her husband'], KNOWN);
    expect(outcome.answers).toEqual({ person_there: 'no' });
  });

  it.each(["it's Ada", 'Ada Lovelace speaking', 'this is Mrs Lovelace', 'yes I am Ada'])(
    'takes a name for a yes: %s',
    async (text) =>
      expect((await talk('payment', [text], KNOWN)).outcome.answers['person_there']).toBe('yes'),
  );

  it.each(['who is Ada', "I'm not Ada", 'this is Paul', 'Ada moved to Spain', 'Ada'])(
    'but not where it is said of another: %s',
    async (text) =>
      expect((await talk('payment', [text], KNOWN)).outcome.answers['person_there']).not.toBe('yes'),
  );
});

describe('the reception', () => {
  it('calls back who asks for it in its own words', async () => {
    const { last } = await talk('reception', ['call back']);
    expect(last).toContain('When may we call you?');
  });
});

describe('the survey', () => {
  it.each([
    'okay but quickly',
    'yes if it is quick',
    'sure but make it quick please',
    'yes but please be brief',
  ])('goes on with who is in a hurry: %s', async (text) =>
    expect((await talk('survey', [text])).last).toContain('how likely'),
  );

  it.each(['yes but not now', 'yes but I have no time'])('but not with who takes it back: %s', async (text) =>
    expect((await talk('survey', [text])).last).not.toContain('how likely'),
  );
});

const NUMBER: PlaybookExpectation = { kind: 'number' };
const NAME: PlaybookExpectation = { kind: 'name' };

it.each<[PlaybookExpectation, string, string | null]>([
  [NUMBER, 'hundred and five', '105'],
  [NUMBER, 'about hundred and twenty', '120'],
  [NUMBER, 'hundred', '100'],
  [NUMBER, 'two hundred and five', '205'],
  [NUMBER, 'my wife and two children', null],
  [NUMBER, 'me and three friends', null],
  [NUMBER, 'me and my two kids', null],
  [NUMBER, 'my wife and I, two', '2'],
  [NAME, 'my name is Keller, that is K E L L E R', 'Keller'],
  [NAME, "it's Keller, that's K E double L E R", 'Keller'],
  [NAME, 'Anna spelled A N N A', 'Anna'],
  [NAME, 'A as in alpha, double N, A', 'Anna'],
  [NAME, 'S for sugar M I T H', 'Smith'],
  [NAME, 'B as in bravo, O, B', 'Bob'],
  [NAME, 'the name is Bond, James Bond', 'James Bond'],
  [NAME, 'that is a long story', null],
])('to a question of %j, %s is %s', (expectation, text, value) => {
  expect(readValue(text, expectation, { now, region: 'US' })).toBe(value);
});

it('asking for a moment chooses nothing', async () => {
  const { last, outcome } = await talk('reception', ['hold on a second']);
  expect(last).toContain('take your time');
  expect(outcome.answers).toEqual({});
});
