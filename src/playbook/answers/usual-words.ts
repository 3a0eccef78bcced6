import { isSaid, phrasings, spoken } from '#language/phrasing.js';

const says = phrasings({
  /** Things that could be an obstacle. */
  trouble:
    'problems?|issues?|trouble|objections?|worries|concerns?|difficulty|difficulties|complaints?|inconvenience|' +
    'inconvenient|harm|(mind|bother me|bother us|put me out) [with|to]|against|opposed|' +
    'bad (idea|plan|thing|time|moment|day)|say no|wrong with',
  of_it: 'at all|whatsoever|with (that|it|this)|to (that|it|this)|there',
  /** Words between "not" and the obstacle. */
  is_a:
    'think|believe|that|it|there|is|will|would|should|be|have|see|foresee|find|cause|got|a|an|any|really|too|so|such|' +
    'much|of|real|big|all that|think of|at all|to',
  /** Words between "not" and "sure". */
  quite:
    'quite|really|entirely|tocounts|completely|absolutely|exactly|too|very|so|that|all|overly|at|yet|for|an?|one|' +
    'hundred|100|percent|be',
});

const NO_PROBLEM = says(
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
/** "Not quite sure", "not a hundred percent sure". */
const NOT_QUITE = says('not <quite>* (sure|certain|know|decided)');
/** "Not unhappy" is faint praise, not a "no". */
const NOT_BAD = says('not <quite>* (unhappy|dissatisfied|disappointed|displeased|unpleasant|terrible|awful)');

/** Phrases that mean something only as the whole answer, each with its meaning. */
const WHOLLY = (
  [
    [
      'very [much [so]]|(extremely|immensely|hugely|tocounts|completely|entirely) [so]|will do|roger that|(i|we) already (have|did)',
      'yes',
    ],
    ['works|spot on|bingo', 'perfect'],
    ['feel free|be my guest|fire away|shoot|knock yourself out', 'go ahead'],
  ] as const
).map(([ways, usual]) => ({
  ways: says(`^(oh|yes|sure|please|well|ok|okay|so|just)* (${ways}) [(indeed|please|thanks|thank you)] $`),
  usual,
}));

/** Replaces variants by one standard phrase: "it won't be an issue" becomes "no problem". */
export function inUsualWords(words: readonly string[]): string[] {
  const said = spoken(words)
    .replace(NO_PROBLEM, 'no problem ')
    .replace(NOT_BAD, 'not bad ')
    .replace(NOT_QUITE, (found) => `not ${found.split(' ').at(-2)!} `);
  const wholly = WHOLLY.find(({ ways }) => isSaid(ways, said));
  return (wholly?.usual ?? said.trimEnd()).split(' ');
}
