/** Contractions that are written out, because their parts matter to the meaning. */
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

/** Words before which "ill" means "I'll", unless it follows a word such as "is" or "feel". */
const DOING =
  'be|come|make|do|take|pay|call|ring|have|go|try|see|get|need|let|think|just|also|send|bring|wait|give|put|check|ask|tell';
/**
 * Contractions without their apostrophe, as some recognisers write them: "dont", "im". At the end of a text, "Im" and
 * "Ive" are names.
 */
const UNMARKED: readonly (readonly [RegExp, string])[] = [
  [/\b(do|does|did|ca|wo|is|are|was|were|have|has|had|could|would|should|must|need|sha|ai)nt\b/g, "$1n't"],
  [/\b(i)(m|ve)(?= )/g, "$1'$2"],
  [/\b(you|they)(re|ll|ve|d)\b/g, "$1'$2"],
  [/\b(we)(ve)\b/g, "$1'$2"],
  [/\b(it|that|there|who)(ll|d)\b/g, "$1'$2"],
  [/\b(it|that|what|who|there|here|he|she|let)s\b/g, "$1's"],
  [
    new RegExp(
      `(?<!\\b(?:m|am|is|s|are|was|were|be|been|feel|feeling|fell|too|so|very|really|quite|still|got) )\\bill(?= (?:${DOING})\\b)`,
      'g',
    ),
    "i'll",
  ],
  [/\bid(?= (?:like|love|rather|prefer|be|say|have|appreciate)\b)/g, "i'd"],
];
/** Words that are run together or cut in speech. */
const RUN_TOGETHER: readonly (readonly [RegExp, string])[] = [
  [/\bgonna\b/g, 'going to'],
  [/\bwanna\b/g, 'want to'],
  [/\bgotta\b/g, 'got to'],
  [/\blemme\b/g, 'let me'],
  [/\bgimme\b/g, 'give me'],
  [/\bdunno\b/g, "don't know"],
  [/\by'?all\b/g, 'you all'],
  [/\b(?:cuz|coz|'cause)\b/g, 'because'],
  [/\b(call|ring|phon|bother|harass|pester|com|go|do|driv|work|talk|speak|try|eat|sleep)in\b/g, '$1ing'],
];
/** Hesitations, which are dropped. "Uh huh" and "uh uh" are answers. */
const HESITATION = /(?<!\b(?:nuh|uh|mm|m)[- ])\b(?:u+h+m*|u+m+|e+rm*|h+m+)\b(?![- ]?(?:h+u+h+|uh|oh)\b)/g;

/** All replacements in their order: apostrophes first, because contractions need them. */
const WRITTEN_OUT = [...UNMARKED, ...RUN_TOGETHER, ...CONTRACTIONS, [HESITATION, ' '] as const];

/**
 * The words of an utterance as all English rules compare them: lower case, contractions written out, no punctuation and
 * no hesitations. "No, I, uh, can't!" gives `no i can not`, and so does "no i cant".
 */
export function wordsOf(text: string): string[] {
  let plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'");
  for (const [written, full] of WRITTEN_OUT) plain = plain.replace(written, full);
  return plain.match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
}

/**
 * The index of the word at which a phrase begins in an utterance; -1 if it does not occur.
 * @param from the index of the word at which the search begins
 */
export function findPhrase(words: readonly string[], phrase: readonly string[], from = 0): number {
  for (let at = from; phrase.length > 0 && at + phrase.length <= words.length; at++) {
    if (phrase.every((word, offset) => words[at + offset] === word)) return at;
  }
  return -1;
}
