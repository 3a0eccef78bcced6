import { expect, it } from 'vitest';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { leastProcessorMs } from '#test/support/processor-time.js';

const WORDS =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa';
const wordAt = (at: number) => WORDS.split(' ')[at % 16]!;

/** A question with as many long phrases as there may be. */
const options = Array.from({ length: 5 }, (_option, option) => ({
  value: `v${option}`,
  phrases: Array.from(
    { length: 30 },
    (_phrase, at) => `${wordAt(option + at)} ${wordAt(at * 7 + option)} ${option} ${at} ${wordAt(at)}`,
  ),
}));
const playbook = {
  start: 'ask',
  steps: {
    ask: {
      kind: 'ask',
      text: 'Well?',
      expect: { kind: 'choice', options },
      next: 'end',
      otherwise: 'end',
    },
    end: { kind: 'end' },
  },
};

it('the most phrases of a question are checked before anybody on a call would notice', async () => {
  expect(await leastProcessorMs(() => playbookSchema.safeParse(playbook))).toBeLessThan(250);
});
