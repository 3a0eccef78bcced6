import type { Expectation } from '../hearing.js';
import { ANYTHING, CHOICE, PHRASE_RULES, YES_NO } from './phrases.js';
import { toWords } from './words.js';

/** What a decoder may hear: a JSGF text, the words in it, and a key that is equal for equal grammars. */
export interface Grammar {
  key: string;
  jsgf: string;
  words: readonly string[];
}

/** A playbook is written by people; what would slow the decoder down for everybody is left out. */
const MOST_PHRASES = 400;
const LONGEST_PHRASE_WORDS = 12;

/** Grammars never used again for a while are forgotten. */
const MOST_KEPT = 200;

const WORD = /<[a-z_]+>|[a-z][a-z']*/g;

/** Makes grammars of expectations and remembers them. */
export class Grammars {
  readonly #kept = new Map<string, Grammar>();

  of(expectation: Expectation): Grammar {
    const options = expectation.kind === 'choice' ? optionPhrases(expectation.options) : [];
    // Without a usable phrase, a choice is whatever people say.
    const kind = expectation.kind === 'choice' && options.length === 0 ? 'anything' : expectation.kind;
    const key = [kind, ...options].join('|');
    const known = this.#kept.get(key);
    if (known) return known;
    const grammar = compose(key, kind, options);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, grammar);
    return grammar;
  }
}

function optionPhrases(options: readonly { value: string; phrases: readonly string[] }[]): string[] {
  const phrases = options.flatMap(({ value, phrases: own }) => [value, ...own]);
  const spoken = phrases
    .map(toWords)
    .filter((words) => words.length > 0 && words.length <= LONGEST_PHRASE_WORDS);
  return [...new Set(spoken.map((words) => words.join(' ')))].slice(0, MOST_PHRASES);
}

const ANSWERS: Record<Expectation['kind'], string> = {
  yes_no: `${YES_NO} | <aside>`,
  choice: `${CHOICE} | <aside>`,
  anything: `${ANYTHING} | ${YES_NO} | <aside>`,
};

function compose(key: string, kind: Expectation['kind'], options: readonly string[]): Grammar {
  const rules: Record<string, string> = { ...PHRASE_RULES };
  if (options.length > 0) rules['option'] = options.join(' | ');
  const answer = ANSWERS[kind];
  const used = reachable(answer, rules);
  const lines = [...used].map((name) => `<${name}> = ${rules[name]};`);
  const jsgf = `#JSGF V1.0;\ngrammar answer;\n${lines.join('\n')}\npublic <answer> = ${answer};\n`;
  const words = new Set([answer, ...[...used].map((name) => rules[name]!)].flatMap(wordsOf));
  return { key, jsgf, words: [...words] };
}

/** The names of the rules that `text` needs, directly or not. */
function reachable(text: string, rules: Readonly<Record<string, string>>): Set<string> {
  const found = new Set<string>();
  const follow = (part: string) => {
    for (const [, name] of part.matchAll(/<([a-z_]+)>/g)) {
      if (found.has(name!) || rules[name!] === undefined) continue;
      found.add(name!);
      follow(rules[name!]!);
    }
  };
  follow(text);
  return found;
}

function wordsOf(rule: string): string[] {
  return (rule.match(WORD) ?? []).filter((token) => !token.startsWith('<'));
}
