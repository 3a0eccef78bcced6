import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grammars } from '#providers/builtin/pocketsphinx/grammar/grammar.js';
import { phraseNetOf } from '#providers/builtin/pocketsphinx/grammar/phrase-net.js';
import {
  automatonOf,
  writeWordGraph,
  type WordAutomaton,
} from '#providers/builtin/pocketsphinx/grammar/word-automaton.js';
import { sentencesOf } from '#test/support/jsgf-sentences.js';

const compiled = (rule: string, rules: Readonly<Record<string, string>> = {}) =>
  automatonOf(phraseNetOf(rule, rules));

/** Everything an automaton without circles can say. */
function saidBy({ states, start }: WordAutomaton): string[] {
  const from = (state: number): string[] => [
    ...(states[state]!.isEnd ? [''] : []),
    ...[...states[state]!.next].flatMap(([word, to]) => from(to).map((rest) => `${word} ${rest}`)),
  ];
  return from(start).map((sentence) => sentence.trim());
}

function says({ states, start }: WordAutomaton, sentence: string): boolean {
  let at: number | undefined = start;
  for (const word of sentence.split(' ').filter(Boolean)) {
    at = at === undefined ? undefined : states[at]!.next.get(word);
  }
  return at !== undefined && states[at]!.isEnd;
}

const rule = fc.letrec<{ rule: string; sequence: string; item: string }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('a', 'b', 'c', '<one>', '<two>'),
    tie('rule').map((inner) => `(${inner})`),
    tie('rule').map((inner) => `[${inner}]`),
  ),
  sequence: fc.array(tie('item'), { minLength: 1, maxLength: 2 }).map((items) => items.join(' ')),
  rule: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join(' | ')),
})).rule;

describe('the automaton of a rule', () => {
  it('says exactly what the rule says', () => {
    const rules = { one: 'a | b [c]', two: '<one> c' };
    fc.assert(
      fc.property(rule, (text) => {
        expect(saidBy(compiled(text, rules)).sort()).toEqual(sentencesOf(text, rules).sort());
      }),
      { numRuns: 200 },
    );
  });

  it('says things again and again where the rule does', () => {
    const automaton = compiled('<digit> <digit>+', { digit: 'one | two' });
    expect(says(automaton, 'one')).toBe(false);
    for (const said of ['one two', 'two two one', 'one one one one two']) {
      expect(says(automaton, said)).toBe(true);
    }
  });

  it('has no more states than it needs', () => {
    const automaton = compiled('(yes | yeah) [please] | no [please] | [oh] (yes | no) [please]');
    // The start, after "oh", after a yes or no, after "please".
    expect(automaton.states.length).toBe(4);
  });

  it('is written as the engine reads it', () => {
    expect(writeWordGraph(compiled('yes [please]'), 'answer').split('\n')).toEqual([
      'FSG_BEGIN answer',
      'NUM_STATES 4',
      'START_STATE 0',
      'FINAL_STATE 3',
      'TRANSITION 0 1 1.0 yes',
      'TRANSITION 1 2 1.0 please',
      'TRANSITION 1 3 1.0',
      'TRANSITION 2 3 1.0',
      'FSG_END',
      '',
    ]);
  });

  it('stays small for every kind of question, and for long lists', () => {
    const grammars = new Grammars();
    const phrases = (option: number) => Array.from({ length: 30 }, (_, n) => `way ${n + 100} to ${option}`);
    const options = Array.from({ length: 20 }, (_, n) => ({ value: `v${n}`, phrases: phrases(n) }));
    const sizes = [
      grammars.of({ kind: 'yes_no', correction: { kind: 'date' } }),
      grammars.of({ kind: 'phone_number', plan: 'any' }),
      grammars.of({ kind: 'name', names: ['Zoe Zimmermann'], correction: { kind: 'time' } }),
      grammars.of({ kind: 'choice', options }),
    ].map(({ text }) => Number(/NUM_STATES (\d+)/.exec(text)![1]));
    for (const size of sizes) expect(size).toBeLessThan(4_000);
  });
});
