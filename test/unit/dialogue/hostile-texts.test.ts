import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { AgentBrief, DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { createPlaybookDialogue } from '#playbook/playbook-dialogue.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { interpret } from '#playbook/understanding/interpret.js';
import { speakableText } from '#speech/speakable/speakable-text.js';
import { splitSentences } from '#speech/sentences.js';
import { longestDelayOfEachMs } from '#test/support/loop-monitor.js';

/** Frames are due every 20 ms, and a peer plays on for no longer than this from what it holds. */
const MOST_DELAY_MS = 50;
/** The longest text that is filled, and the longest turn of a caller. */
const LONGEST_TEXT = 8_000;
const LONGEST_HEARD = 1_500;
const HUGE = 'Long live the customer. '.repeat(2_700);

const BRIEF: AgentBrief = {
  agentName: 'Robin',
  initialMessage: 'Hello {{name|there}}.',
  systemPrompt: null,
  language: 'en-US',
  variables: {},
};

const range = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at));

/** Steps in a row, behind the last of which the call ends. */
function inARow(steps: object[]): unknown {
  const named = steps.map((step, at) => [`s${at}`, { ...step, next: `s${at + 1}` }] as const);
  return { start: 's0', steps: { ...Object.fromEntries(named), [`s${steps.length}`]: { kind: 'end' } } };
}

const question = (text: string) => ({
  kind: 'ask',
  text,
  expect: { kind: 'yes_no' },
  otherwise: 's1',
});

function open(playbook: unknown, variables: Record<string, string> = {}): DialogueManager {
  const checked = playbookSchema.parse(playbook);
  return createPlaybookDialogue()({ ...BRIEF, variables }, checked);
}

async function said(turn: AsyncIterable<DialogueOutput>): Promise<string> {
  const texts: string[] = [];
  for await (const thought of turn) if (thought.kind === 'say') texts.push(...splitSentences(thought.text));
  return texts.join(' ');
}

/** How long a timer of 20 ms waits at the longest while all of this is done. */
const delayOf = (...work: (() => unknown)[]) => longestDelayOfEachMs(work, MOST_DELAY_MS);

const { signal } = new AbortController();
const opening = (playbook: unknown, variables?: Record<string, string>) =>
  said(open(playbook, variables).turn({ kind: 'opening' }, signal));

/** As the built-in voice is given it. */
const toSpokenText = (text: string, language = '') => speakableText(text, { language, letters: 'plain' });

describe('no agent holds up the calls of others', () => {
  const doubling = inARow([
    ...range(27, () => ({ kind: 'set', variables: { name: '{{name|xx}}{{name|xx}}' } })),
    { kind: 'say', text: 'Hello {{name}}.' },
  ]);
  const longNames = inARow([
    {
      kind: 'set',
      variables: Object.fromEntries(range(2_000, (at) => [`v${at}`, '{{b}}{{b}}{{b}}{{b}}'])),
    },
    ...range(40, () => ({ kind: 'say', text: '{{b}} and {{v1}} and {{v2}}' })),
  ]);
  const comparing = inARow(
    range(40, () => ({
      kind: 'branch',
      cases: range(15, () => ({ variable: 'b', is: range(4, () => '{{b}}.'), next: 's40' })),
    })),
  );
  const missing = inARow(range(60, () => ({ kind: 'say', text: `x${'of the {{a}}'.repeat(80)}` })));
  const manyKeys = Object.fromEntries(range(9_000, (at) => [`k${at}`, '1']));

  it.each([
    ['variables that double themselves', doubling, {}],
    ['a value said ninety times', inARow(range(90, () => ({ kind: 'say', text: '{{b}}' }))), { b: HUGE }],
    ['thousands of variables of long values', longNames, { b: HUGE }],
    ['long values compared again and again', comparing, { b: HUGE }],
    ['texts of nothing but missing values', missing, {}],
    [
      'customer data of thousands of keys',
      inARow(range(90, () => ({ kind: 'say', text: '{{k1}}' }))),
      manyKeys,
    ],
    ['blanks', inARow(range(90, () => ({ kind: 'say', text: '{{b}}x' }))), { b: ' '.repeat(64_000) }],
  ])('%s', async (_what, playbook, variables) => {
    const checked = playbookSchema.parse(playbook);
    const session = () => createPlaybookDialogue()({ ...BRIEF, variables }, checked);
    expect(await delayOf(() => said(session().turn({ kind: 'opening' }, signal)))).toBeLessThan(
      MOST_DELAY_MS,
    );
  });

  it('twelve calls of an agent that doubles its variables take no more memory than other calls', async () => {
    const before = process.memoryUsage().heapUsed;
    const sessions = range(12, () => open(doubling));
    for (const session of sessions)
      expect((await said(session.turn({ kind: 'opening' }, signal))).length).toBeLessThan(LONGEST_TEXT);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64e6);
  });

  it('a value that is cut is said as far as it goes', async () => {
    expect(await opening(inARow([{ kind: 'say', text: 'It is {{b}}. Goodbye.' }]), { b: HUGE })).toMatch(
      /^It is Long live the customer\. .* Goodbye\.$/,
    );
  });

  it.each(['first_name', 'customer_name', 'initial_message'])('a %s as long as a book', async (name) => {
    const session = open(
      inARow([question('Will you come? {{first_name|}}'), { kind: 'say', text: 'Good.' }]),
      {
        [name]: range(9_000, (at) => `Hello N${at}`).join(' '),
      },
    );
    await said(session.turn({ kind: 'opening' }, signal));
    const answer = { text: 'no not this week', confidence: 1 };
    expect(
      await delayOf(() => said(session.turn({ kind: 'heard', transcript: answer }, signal))),
    ).toBeLessThan(MOST_DELAY_MS);
  });
});

const PIECES = [
  'a',
  'A',
  '1',
  '1 ',
  'a.',
  'a. ',
  'Mr. Ab ',
  'A. B. ',
  'No. 5 ',
  '10 a.m. ',
  '. ',
  '?',
  ', ',
  ' ',
  '"',
  '(',
  '<',
  '[',

  '1-',
  '$1',
  '1,000',
  '1/2 ',
  '12:30 ',
  'a@b.',
  'www.',
  'http://',
  '€5 ',
  '5 kg ',
  '+1 415 ',
  '#',
  '**a',
  '_a',
  '\u200b',

  '😀',
  'é',
  'ﷺ',
  '١',
  '\ud800',
  "o'",
  "don't ",
  'uh ',
  'hmm',
  'no ',
  'yes ',
  'not ',
  'no not ',
  'do not call ',
  'call me ',

  'the 24th ',
  'tuesday ',
  'next ',
  'week from ',
  'half past ',
  'at three ',
  'twenty ',
  'hundred ',
  'one two ',
  'double ',

  'and ',
  'or ',
  'of ',
  'but ',
  'is ',
  'i ',
  'my name is ',
  'sorry ',
  'wait ',
  'goodbye ',
  'never ',
  'call me back ',
  'oh ',
];
const long = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

it('long texts are cut and made ready for a voice in no time', async () => {
  const ready = (piece: string) => {
    const pieces = splitSentences(long(piece, LONGEST_TEXT));
    expect(Math.max(...pieces.map(({ length }) => length), 0)).toBeLessThanOrEqual(200);
    // A voice is given one piece at a time.
    for (const one of pieces.slice(0, 2)) toSpokenText(one, 'en-US');
  };
  expect(await delayOf(...PIECES.map((piece) => () => ready(piece)))).toBeLessThan(MOST_DELAY_MS);
});

const EXPECTATIONS: PlaybookExpectation[] = [
  { kind: 'yes_no', yes: ['count me in'], no: ['cancel'] },
  {
    kind: 'choice',
    options: [
      { value: 'morning', phrases: ['morning', 'before noon'] },
      { value: 'afternoon', phrases: ['afternoon', 'after lunch'] },
    ],
  },
  { kind: 'date', earliest: 'today+1', latest: 'today+60' },
  { kind: 'time' },
  { kind: 'number', min: 0, max: 10 },
  { kind: 'phone_number' },
  { kind: 'name' },
  { kind: 'anything' },
];

describe.each(EXPECTATIONS)('a question for $kind', (expectation) => {
  const reading = {
    now: DateTime.fromISO('2026-11-27T10:00:00', { zone: 'UTC' }),
    region: 'US' as const,
    called: 'Ada Lovelace',
    asked: 'Will you come on Tuesday?',
    expectation,
    minConfidence: 0.3,
    earlier: EXPECTATIONS[2]!,
    earlierValue: '2026-12-02',
    takesUnsure: true,
  };

  it.each([null, '2026-12-01'])('reads long answers in no time (said back: %s)', async (pending) => {
    const reads = PIECES.map((piece) => {
      const heard = { text: long(piece, LONGEST_HEARD), confidence: 1 };
      return () => interpret(heard, { ...reading, pending });
    });
    expect(await delayOf(...reads)).toBeLessThan(MOST_DELAY_MS);
  });

  it('reads answers to long questions in no time', async () => {
    const heard = { text: 'no not this week', confidence: 1 };
    const reads = PIECES.map((piece) => {
      const asked = long(piece, LONGEST_TEXT);
      return () => interpret(heard, { ...reading, asked });
    });
    expect(await delayOf(...reads)).toBeLessThan(MOST_DELAY_MS);
  });
});

describe('a playbook is checked without holding up calls', () => {
  it('of thousands of variables that each step knows', async () => {
    const steps = range(90, (at) => [
      `s${90 - at}`,
      { kind: 'set', variables: { a: 'x' }, next: `s${91 - at}` },
    ]);
    const variables = Object.fromEntries(range(2_500, (at) => [`v${at}`, 'x']));
    const playbook = {
      start: 's0',
      steps: {
        s91: { kind: 'end', text: '{{v1}}' },
        ...Object.fromEntries(steps),
        s0: { kind: 'set', variables, next: 's1' },
      },
    };
    expect(playbookSchema.safeParse(playbook).success).toBe(true);
    expect(await delayOf(() => playbookSchema.safeParse(playbook))).toBeLessThan(MOST_DELAY_MS);
  });
});
