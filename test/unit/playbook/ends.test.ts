import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playbookSchema, type Playbook } from '#playbook/definition/playbook.js';
import type { PlaybookStep } from '#playbook/steps/playbook-step.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';
import { cases } from '#test/support/tier.js';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const name = fc.constantFrom(...NAMES);
const rarely = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3, nil: undefined });

const branching = fc.record({
  kind: fc.constant('ask' as const),
  text: fc.constant('Well?'),
  expect: fc.constant({ kind: 'yes_no' as const }),
  answers: fc.record({ yes: name, no: name }),
  max_attempts: fc.integer({ min: 1, max: 3 }),
  max_visits: fc.integer({ min: 1, max: 3 }),
  otherwise: name,
});
const valued = fc.record({
  kind: fc.constant('ask' as const),
  text: fc.constant('When?'),
  expect: fc.constantFrom(
    { kind: 'date' as const },
    { kind: 'number' as const, max: 10 },
    { kind: 'name' as const },
  ),
  next: name,
  max_attempts: fc.integer({ min: 1, max: 3 }),
  max_visits: fc.integer({ min: 1, max: 3 }),
  confirm: rarely(fc.constant('Really?')),
  otherwise: name,
});
const others = fc.oneof(
  fc.record({ kind: fc.constant('say' as const), text: fc.constant('So.'), next: name }),
  fc.record({ kind: fc.constant('set' as const), variables: fc.constant({ x: 'y' }), next: name }),
  fc.record({
    kind: fc.constant('branch' as const),
    cases: fc.array(fc.record({ variable: name, known: fc.boolean(), next: name }), {
      minLength: 1,
      maxLength: 2,
    }),
    next: name,
  }),
  fc.record({ kind: fc.constantFrom('end' as const, 'suppress' as const, 'call_back' as const) }),
);
const step = fc.oneof(
  { weight: 3, arbitrary: branching },
  { weight: 2, arbitrary: valued },
  { weight: 3, arbitrary: others },
);

/** Playbooks of any shape, most of them nonsense; only the part that the start leads to. */
const anyPlaybook = fc
  .record({
    steps: fc.record(Object.fromEntries(NAMES.map((one) => [one, step])) as Record<string, typeof step>),
    later: rarely(name),
    person: rarely(name),
  })
  .map(({ steps, later, person }) => {
    const anywhere = { ...(later ? { later } : {}), ...(person ? { person } : {}) };
    const reached = new Set(['a', ...Object.values(anywhere)]);
    for (const at of reached) for (const to of namesIn(steps[at]!)) reached.add(to);
    return {
      start: 'a',
      steps: Object.fromEntries([...reached].map((at) => [at, steps[at]!])),
      ...(Object.keys(anywhere).length > 0 ? { anywhere } : {}),
    };
  });

function namesIn(one: object): string[] {
  const { next, otherwise, answers, cases } = one as Partial<Extract<PlaybookStep, { kind: 'ask' }>> & {
    cases?: { next: string }[];
  };
  const named = [next, otherwise, ...Object.values(answers ?? {}), ...(cases ?? []).map((each) => each.next)];
  return named.filter((each): each is string => typeof each === 'string');
}

const SAID = [
  'yes',
  'no',
  '',
  'tuesday',
  'no, I said Friday',
  'seven',
  'Ada',
  'what?',
  'who is this',
  'hold on',
  'call me later',
  'I want to talk to a person',
  'purple elephants',
  'no I meant yes',
  'tomorrow',
  'no, monday',
];

/** Every question may be put 3 times, twice that when it is said back, on each of 3 visits; more is for ever. */
const LONGEST_TALK = NAMES.length * 3 * 3 * 3;

async function turnsUntilTheEnd(playbook: Playbook, answer: (turn: number) => string): Promise<number> {
  const session = createPlaybooks().open(briefOf({ playbook }));
  let thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (let turn = 0; turn <= LONGEST_TALK; turn += 1) {
    if (thoughts.at(-1)!.kind === 'end') return turn;
    thoughts = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text: answer(turn), confidence: 1 } }, undisturbed),
    );
  }
  return Infinity;
}

/** The slow way to find out whether steps talk for ever without listening: to walk on from each of them. */
function talksForEver(steps: Readonly<Record<string, PlaybookStep>>): boolean {
  return Object.keys(steps).some((start) => {
    let frontier = [start];
    for (let hops = 0; hops <= NAMES.length; hops += 1) {
      frontier = [...new Set(frontier.flatMap((at) => unheard(steps[at]!)))];
    }
    return frontier.length > 0;
  });
}

function unheard(one: PlaybookStep): string[] {
  return one.kind === 'ask' ? [one.otherwise] : namesIn(one);
}

describe('a playbook that is accepted', () => {
  it('comes to an end whatever is said', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        anyPlaybook,
        fc.array(fc.constantFrom(...SAID), { minLength: 1, maxLength: 12 }),
        async (draft, said) => {
          const result = playbookSchema.safeParse(draft);
          if (!result.success) return;
          accepted += 1;
          // The same few answers over and over, and each of them alone.
          expect(await turnsUntilTheEnd(result.data, (turn) => said[turn % said.length]!)).toBeLessThan(
            Infinity,
          );
          for (const one of ['yes', 'no', 'no, I said Friday', 'tuesday']) {
            expect(await turnsUntilTheEnd(result.data, () => one)).toBeLessThan(Infinity);
          }
        },
      ),
      { numRuns: cases(200, 1_000, 3_000) },
    );
    expect(accepted).toBeGreaterThan(cases(5, 33, 100));
  });

  it('is one that a slow walk finds no endless talk in, and the other way round', () => {
    fc.assert(
      fc.property(anyPlaybook, (draft) => {
        const result = playbookSchema.safeParse(draft);
        const isEndless = talksForEver(draft.steps);
        if (result.success) expect(isEndless).toBe(false);
        else if (isEndless) {
          expect(result.error.issues.map(({ message }) => message).join('\n')).toMatch(
            /never end|no answer leaves/,
          );
        }
      }),
      { numRuns: cases(200, 700, 2_000) },
    );
  });
});
