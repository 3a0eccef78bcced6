import { wordsOf } from './words.js';

/** Phrases with what they mean, found in an utterance from left to right, the longest one first. */
export interface PhraseTable<Meaning> {
  /** The phrase that begins at a word, with how many words it has. */
  at(words: readonly string[], index: number): { meaning: Meaning; length: number } | undefined;
  /** Every phrase in the words, without overlaps. */
  find(words: readonly string[]): { meaning: Meaning; start: number; end: number }[];
}

/** Builds a table; phrases are written as people say them, separated by commas: `no problem, don't mind`. */
export function phraseTable<Meaning>(groups: readonly (readonly [Meaning, string])[]): PhraseTable<Meaning> {
  const byFirstWord = new Map<string, { words: string[]; meaning: Meaning }[]>();
  for (const [meaning, phrases] of groups) {
    for (const phrase of phrases.split(',')) {
      const words = wordsOf(phrase);
      const known = byFirstWord.get(words[0]!) ?? [];
      byFirstWord.set(
        words[0]!,
        [...known, { words, meaning }].sort((a, b) => b.words.length - a.words.length),
      );
    }
  }
  const at: PhraseTable<Meaning>['at'] = (words, index) => {
    const found = byFirstWord
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
