/** Whatever would be in the way, and is not. */
const TROUBLE =
  '(?:problems?|issues?|trouble|objections?|worries|concerns?|difficulty|difficulties|complaints?|inconvenience|inconvenient|harm|' +
  '(?:mind|bother me|bother us|put me out)(?: with| to)?|against|opposed|bad (?:idea|plan|thing|time|moment|day)|say no|wrong with)';
const OF_IT = '(?: (?:at all|whatsoever|with (?:that|it|this)|to (?:that|it|this)|there))*';
/** What is said in many ways and means one thing, which the signs know. */
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `\\b(?:not(?: (?:think|believe|that|it|there|is|will|would|should|be|have|see|foresee|find|cause|got|a|an|any|really|too|so|such|much|of|real|big|all that|think of|at all|to))*` +
        `|no(?: (?:big|real|great|particular|such))?|nothing) (?:${TROUBLE}|(?<=(?:a|any|no) )(?:bother|hassle))\\b${OF_IT}`,
      'g',
    ),
    'no problem',
  ],
  [
    /\b(?:will|would) not (?:(?:want|like) to |dream of |think of )?miss(?:ing)? (?:it|that|this)\b/g,
    'no problem',
  ],
  [/\b(?:can|could|will|would) not (?:hurt|argue)\b/g, 'no problem'],
  [
    /\b(?:could|can) not (?:be|agree|suit me|ask for|wish for)(?: any(?:thing)?)? (?:more|better|happier)\b/g,
    'no problem',
  ],
  [/\bnothing (?:would|could|i would)(?: \w+){0,3} (?:more|better)\b/g, 'no problem'],
  [
    /\bnot(?: (?:quite|really|entirely|totally|completely|absolutely|exactly|too|very|so|that|all|overly|at|yet|for|an?|one|hundred|100|percent|be))* (sure|certain|know|decided)\b/g,
    'not $1',
  ],
];

/** The words of an answer, with what means the same said in the same words: "it won't be an issue" as "no problem". */
export function inUsualWords(words: readonly string[]): string[] {
  const said = REWORDED.reduce((text, [ways, usual]) => text.replace(ways, usual), words.join(' '));
  return said.split(' ').filter((word) => word !== '');
}
