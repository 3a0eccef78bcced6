import { expect, it } from 'vitest';
import { playbookSchema } from '../../../../src/speech/playbook/playbook.js';

const ASK = { kind: 'ask', text: 'Well?', otherwise: 'end' };

it('hundreds of long phrases are checked before anybody who is on the line would notice', () => {
  const words =
    'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa';
  const wordAt = (at: number) => words.split(' ')[at % 16]!;
  const options = (question: number) =>
    Array.from({ length: 5 }, (_option, option) => ({
      value: `v${option}`,
      phrases: Array.from(
        { length: 30 },
        (_phrase, at) =>
          `${wordAt(option + at)} ${wordAt(at * 7 + option)} ${question} ${option} ${at} ${wordAt(at)}`,
      ),
    }));
  const questions = Array.from({ length: 12 }, (_question, at) => [
    `q${at}`,
    {
      ...ASK,
      expect: { kind: 'choice', options: options(at) },
      answers: null,
      next: at < 11 ? `q${at + 1}` : 'end',
    },
  ]);
  const steps = { ...Object.fromEntries(questions), end: { kind: 'end' } };
  const begin = performance.now();
  playbookSchema.safeParse({ start: 'q0', steps });
  expect(performance.now() - begin).toBeLessThan(2_500);
});
