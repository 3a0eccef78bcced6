import { readFile } from 'node:fs/promises';
import { installation } from '#kernel/system/installation.js';
import { dictatedOf } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import type { Grammar } from './grammar.js';
import { stateGraph } from './state-graph.js';

/** Written by tools/telephone-english.mjs, which says where it comes from. */
const MODEL = new URL('models/telephone-english.txt', installation);
/** Its last lines are no words: where an utterance ends, and where it starts. */
const MARKS = 2;
/** Fewer, longer words: what so many of them are best heard with. */
const WORD_PENALTY = 0.1;

/**
 * American English as it is spoken on the telephone: a thousand words, and which follow which, as a graph. Anything
 * may be said, likely words more easily.
 */
export async function loadTelephoneEnglish(): Promise<Grammar> {
  const model = (await readFile(MODEL, 'latin1')).trimEnd().split('\n');
  const words = model.slice(0, -MARKS).map((line) => line.slice(0, line.indexOf(' ')));
  return {
    key: 'telephone english',
    text: graphOf(model),
    words,
    wordPenalty: WORD_PENALTY,
    understand: dictatedOf,
  };
}

/**
 * A state for each word (having been said), one for the start, one for the end, and one through which every word can
 * be reached from everywhere: a pair that the model does not list costs what is left after its first word.
 */
function graphOf(model: readonly string[]): string {
  const [end, start, anywhere] = [model.length - 2, model.length - 1, model.length];
  const names = model.map((line, state) => (state < end ? line.slice(0, line.indexOf(' ')) : ''));
  const arc = (from: number, to: number, cost: string, name = '') =>
    `TRANSITION ${from} ${to} ${Math.exp(-Number(cost) / 100).toExponential(4)} ${name}`;
  const arcs = model.flatMap((line, state) => {
    const [, alone, rest, ...pairs] = line.split(' ');
    return [
      ...(state === start ? [] : [arc(anywhere, state, alone!, names[state])]),
      ...(state === end ? [] : [arc(state, anywhere, rest!)]),
      ...pairs.map((pair) => {
        const [place, cost] = pair.split(':');
        const next = Number.parseInt(place!, 36);
        return arc(state, next, cost!, names[next]);
      }),
    ];
  });
  return stateGraph('telephone_english', { states: model.length + 1, start, end }, arcs);
}
