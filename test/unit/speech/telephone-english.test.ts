import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PHRASE_RULES } from '#providers/builtin/pocketsphinx/grammar/phrases.js';
import { Pronunciations } from '#providers/builtin/pocketsphinx/decoding/pronunciations.js';
import { loadTelephoneEnglish } from '#providers/builtin/pocketsphinx/grammar/telephone-english.js';

const DICTIONARY = fileURLToPath(new URL('./model/en-us/dict.txt', import.meta.resolve('soundswallower')));

const english = await loadTelephoneEnglish();
const [, states, start, end] = english.text.split('\n').map((line) => Number(line.split(' ')[1]));
const arcs = english.text
  .split('\n')
  .filter((line) => line.startsWith('TRANSITION'))
  .map((line) => line.trim().split(' '))
  .map(([, from, to, probability, word]) => ({
    from: Number(from),
    to: Number(to),
    probability: Number(probability),
    word,
  }));

describe('the model of telephone English', () => {
  it('knows about a thousand words that the recogniser can pronounce, those of an opt-out among them', async () => {
    const pronunciations = await Pronunciations.load(DICTIONARY);
    expect(english.words.length).toBeGreaterThanOrEqual(1_000);
    expect(english.words.length).toBeLessThan(1_100);
    expect(english.words.filter((word) => pronunciations.of(word).length === 0)).toEqual([]);
    const optOut = PHRASE_RULES['opt_out']!.match(/[a-z][a-z']*/g)!;
    expect(optOut.filter((word) => !english.words.includes(word))).toEqual([]);
  });

  it('is a graph of its words, in which every word leads to every other and to the end', () => {
    expect(arcs.length).toBeGreaterThan(15_000);
    for (const { from, to, word } of arcs) {
      expect(Math.max(from, to)).toBeLessThan(states!);
      if (word !== undefined) expect(word).toBe(english.words[to]);
    }
    const anywhere = states! - 1;
    const reached = new Set(arcs.filter(({ from }) => from === anywhere).map(({ to }) => to));
    expect(reached.size).toBe(english.words.length + 1);
    expect(reached.has(end!)).toBe(true);
    const leaving = new Set(arcs.filter(({ to }) => to === anywhere).map(({ from }) => from));
    expect(leaving.size).toBe(english.words.length + 1);
    expect(leaving.has(start!)).toBe(true);
  });

  it('gives what may follow a word about one chance in all', () => {
    const alone = new Map(
      arcs.filter(({ from }) => from === states! - 1).map((arc) => [arc.to, arc.probability]),
    );
    for (const state of [start!, english.words.indexOf('thank'), english.words.indexOf('i')]) {
      const after = arcs.filter(({ from, to }) => from === state && to !== states! - 1);
      const rest = arcs.find(({ from, to }) => from === state && to === states! - 1)!.probability;
      const listed = after.reduce((sum, { probability }) => sum + probability, 0);
      const others = 1 - after.reduce((sum, { to }) => sum + alone.get(to)!, 0);
      expect(listed + rest * others).toBeCloseTo(1, 1);
    }
  });
});
