import { wordsOf } from './words.js';

/** Phrases with their meanings. Of several phrases that begin at the same word, the longest counts. */
export interface PhraseTable<Meaning> {
  /** The longest phrase that begins at the word `index`, and its number of words; undefined if none does. */
  at(words: readonly string[], index: number): { meaning: Meaning; length: number } | undefined;
  /**
   * The phrases in the words, from left to right and without overlaps. `start` and `end` are indexes of words; `end` is
   * the index after the last word of the phrase.
   */
  find(words: readonly string[]): { meaning: Meaning; start: number; end: number }[];
}

/** The phrases of a table by their first word. */
type Entries<Meaning> = Map<string, { words: string[]; meaning: Meaning }[]>;

/**
 * Creates a table of phrases. The readers of answers and requests look up English phrases with it, and the options of a
 * choice; patterns with alternatives are `Phrasing`s instead. The table is built at first use, so that a thousand
 * phrases do not delay the start of the service.
 * @param groups meanings, each with its phrases as people say them, separated by commas: `no problem, don't mind`
 */
export function phraseTable<Meaning>(groups: readonly (readonly [Meaning, string])[]): PhraseTable<Meaning> {
  let table: Entries<Meaning> | null = null;
  const at: PhraseTable<Meaning>['at'] = (words, index) => {
    table ??= entriesOf(groups);
    const found = table
      .get(words[index]!)
      ?.find((entry) => entry.words.every((word, offset) => words[index + offset] === word));
    return found && { meaning: found.meaning, length: found.words.length };
  };
  return {
    at,
    find(words) {
      const found: { meaning: Meaning; start: number; end: number }[] = [];
      for (let index = 0; index < words.length; index++) {
        const hit = at(words, index);
        if (!hit) continue;
        found.push({ meaning: hit.meaning, start: index, end: index + hit.length });
        index += hit.length - 1;
      }
      return found;
    },
  };
}

/** Phrases by their first word, longest first. */
function entriesOf<Meaning>(groups: readonly (readonly [Meaning, string])[]): Entries<Meaning> {
  const byFirstWord: Entries<Meaning> = new Map();
  for (const [meaning, phrases] of groups) {
    for (const phrase of phrases.split(',')) {
      const words = wordsOf(phrase);
      const sameStart = byFirstWord.get(words[0]!) ?? [];
      byFirstWord.set(
        words[0]!,
        [...sameStart, { words, meaning }].sort((a, b) => b.words.length - a.words.length),
      );
    }
  }
  return byFirstWord;
}
