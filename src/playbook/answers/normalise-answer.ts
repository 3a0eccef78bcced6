import { matches, phrasingCompiler, toMatchText } from '#language/phrasing.js';

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  /** Obstacles, of which an answer may say that there are none. */
  trouble:
    'problems?|issues?|trouble|objections?|worries|concerns?|difficulty|difficulties|complaints?|inconvenience|' +
    'inconvenient|harm|(mind|bother me|bother us|put me out) [with|to]|against|opposed|' +
    'bad (idea|plan|thing|time|moment|day)|say no|wrong with',
  /** Words after the obstacle. */
  of_it: 'at all|whatsoever|with (that|it|this)|to (that|it|this)|there',
  /** Words between "not" and the obstacle. */
  is_a:
    'think|believe|that|it|there|is|will|would|should|be|have|see|foresee|find|cause|got|a|an|any|really|too|so|such|' +
    'much|of|real|big|all that|think of|at all|to',
  /** Words between "not" and "sure". */
  quite:
    'quite|really|entirely|totally|completely|absolutely|exactly|too|very|so|that|all|overly|at|yet|for|an?|one|' +
    'hundred|100|percent|be',
});

/** Ways to say that nothing is in the way, or that all is well: "it won't be an issue", "couldn't be better". */
const NO_PROBLEM = compile(
  'not <is_a>* <trouble> <of_it>*',
  'no [big|real|great|particular|such] <trouble> <of_it>*',
  'nothing <trouble> <of_it>*',
  '(not <is_a>* (a|any)|no [big|real|great|such]) (bother|hassle) <of_it>*',
  '(will|would) not [(want|like) to|dream of|think of] (miss|missing) (it|that|this)',
  '(no way|not a chance|no chance) [that] (i|we) (will|would|could|can|am going to) miss (it|that|this)',
  '(can|could|will|would) not (hurt|argue)',
  '(could|can) not [have] (be|been|agree|suit me|ask for|wish for) [any|anything] (more|better|happier)',
  'nothing (would|could|i would) [_] [_] [_] (more|better)',
);
/** Weakened certainty: "not quite sure", "not a hundred percent sure". */
const NOT_QUITE = compile('not <quite>* (sure|certain|know|decided)');
/** Denied blame, which is faint praise and no "no": "not unhappy". */
const NOT_BAD = compile(
  'not <quite>* (unhappy|dissatisfied|disappointed|displeased|unpleasant|terrible|awful)',
);

/** Phrases that are an answer only if nothing else is said ("works"), each with a standard phrase for it. */
const WHOLE_ANSWERS = (
  [
    [
      'very [much [so]]|(extremely|immensely|hugely|totally|completely|entirely) [so]|will do|roger that|(i|we) already (have|did)',
      'yes',
    ],
    ['works|spot on|bingo', 'perfect'],
    ['feel free|be my guest|fire away|shoot|knock yourself out', 'go ahead'],
  ] as const
).map(([pattern, standard]) => ({
  phrasing: compile(
    `^(oh|yes|sure|please|well|ok|okay|so|just)* (${pattern}) [(indeed|please|thanks|thank you)] $`,
  ),
  standard,
}));

/**
 * Replaces variants of an answer by standard phrases, which the table of `yes-no-signs.ts` contains: "it won't be an
 * issue" becomes "no problem". Other words stay, except in {@link WHOLE_ANSWERS}: "oh, works, thanks" becomes
 * "perfect". The readers of yes, no and "maybe" (`yes-no.ts`) normalise an answer before they look for signs.
 * @param words the words of the answer, as `wordsOf` returns them
 */
export function normaliseAnswer(words: readonly string[]): string[] {
  const said = toMatchText(words)
    .replace(NO_PROBLEM, 'no problem ')
    .replace(NOT_BAD, 'not bad ')
    // Keeps the last word: "not quite sure" becomes "not sure".
    .replace(NOT_QUITE, (found) => `not ${found.split(' ').at(-2)!} `);
  const wholeAnswer = WHOLE_ANSWERS.find(({ phrasing }) => matches(phrasing, said));
  return (wholeAnswer?.standard ?? said.trimEnd()).split(' ');
}
