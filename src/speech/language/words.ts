/** Contractions whose parts matter to what is meant; the rest is left as it was said. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcannot\b/g, 'can not'],
  [/\bcan't\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/\bshan't\b/g, 'shall not'],
  [/\bain't\b/g, 'is not'],
  [/\b([a-z]+)n't\b/g, '$1 not'],
  [/\b([a-z]+)'ll\b/g, '$1 will'],
  [/\b([a-z]+)'re\b/g, '$1 are'],
  [/\b([a-z]+)'ve\b/g, '$1 have'],
  [/\b([a-z]+)'d\b/g, '$1 would'],
  [/\bi'm\b/g, 'i am'],
  [/\b(it|that|what|who|there|here|he|she)'s\b/g, '$1 is'],
  [/\blet's\b/g, 'let us'],
];

/**
 * The words of an utterance as the rules compare them: small letters, contractions written out, no punctuation.
 * "No, I can't!" gives `no i can not`.
 */
export function wordsOf(text: string): string[] {
  let plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'");
  for (const [contraction, full] of CONTRACTIONS) plain = plain.replace(contraction, full);
  return plain.match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
}

/** Where a phrase stands in an utterance, word by word; -1 when it does not. */
export function findPhrase(words: readonly string[], phrase: readonly string[], from = 0): number {
  for (let at = from; phrase.length > 0 && at + phrase.length <= words.length; at++) {
    if (phrase.every((word, offset) => words[at + offset] === word)) return at;
  }
  return -1;
}
