import { expect, it } from 'vitest';
import { playbookSchema } from '#playbook/definition/playbook.js';

const sizes = (...values: readonly string[]) => ({
  kind: 'choice',
  options: values.map((value) => ({ value, phrases: [`size ${value}`] })),
});

/** The fields at fault where a case looks at the answer to a question in that way. */
function faultsOf(expectation: object, condition: object): string[] {
  const read = playbookSchema.safeParse({
    start: 'ask',
    steps: {
      ask: { kind: 'ask', text: 'Well?', expect: expectation, next: 'judge', otherwise: 'end' },
      judge: { kind: 'branch', cases: [{ variable: 'ask', ...condition, next: 'good' }], next: 'end' },
      good: { kind: 'end' },
      end: { kind: 'end' },
    },
  });
  return read.success ? [] : read.error.issues.map(({ path }) => path.slice(4).join('.'));
}

it.each([
  [sizes('small', 'large'), { at_least: 3 }, 'at_least'],
  [{ kind: 'name' }, { at_most: 'm' }, 'at_most'],
  [{ kind: 'phone_number' }, { at_least: 1 }, 'at_least'],
  [{ kind: 'yes_no' }, { at_least: 1 }, 'at_least'],
  [{ kind: 'number' }, { at_least: '9' }, 'at_least'],
  [{ kind: 'number' }, { is: ['9', 'ten'] }, 'is.1'],
])('refuses a case that never holds: %j, %j', (expectation, condition, field) =>
  expect(faultsOf(expectation, condition)).toEqual([field]),
);

it.each([
  [sizes('1', '2'), { at_least: 2 }],
  [{ kind: 'anything' }, { at_least: 2 }],
  [{ kind: 'number' }, { at_least: 2, is: ['2', '-3.5', '{{limit}}'] }],
  [{ kind: 'date' }, { at_most: '2026-12-31' }],
])('accepts one that may hold: %j, %j', (expectation, condition) =>
  expect(faultsOf(expectation, condition)).toEqual([]),
);
