import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { PHRASE_RULES } from '#providers/builtin/pocketsphinx/grammar/phrases.js';
import { readYesNo } from '#playbook/answers/yes-no.js';
import { sentencesOf } from '#test/support/jsgf-sentences.js';

/** Whatever the built-in recogniser can hear as an answer is read, and never as its opposite. */
describe('reading what the recogniser hears', () => {
  const heard = (rules: readonly string[]) =>
    rules.flatMap((rule) => sentencesOf(PHRASE_RULES[rule]!, PHRASE_RULES));
  const readings = (rules: readonly string[]) => heard(rules).map((said) => ({ said, read: read(said) }));
  const read = (said: string) => readYesNo(wordsOf(said));

  it('finds the yes in every way of saying it', () => {
    const all = readings(['yes_word', 'yes_sentence']);
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter((reading) => reading.read === 'no')).toEqual([]);
    expect(all.filter((reading) => reading.read === 'yes').length / all.length).toBeGreaterThan(0.97);
  });

  it('never takes a no for a yes', () => {
    const all = readings(['no_word', 'no_sentence']);
    expect(all.length).toBeGreaterThan(500);
    expect(all.filter((reading) => reading.read === 'yes')).toEqual([]);
    expect(all.filter((reading) => reading.read === 'no').length / all.length).toBeGreaterThan(0.8);
  });

  it('never takes for a yes what is no answer', () => {
    expect(readings(['aside']).filter((reading) => reading.read === 'yes')).toEqual([]);
  });
});
