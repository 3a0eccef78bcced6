import vader from 'vader-sentiment';
import { isSaid, spoken } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import { SENTIMENTS } from './analysis.js';
import { ANNOYED, MOCKING, PLEASED, SAYS_NOTHING } from './mood-phrases.js';

/** Effect of one phrase on the score. */
const PHRASE_WEIGHT = 0.5;
/** A smaller word score of a sentence is ignored. */
const THRESHOLD_OF_WORDS = 0.1;
/** A smaller score of a text is neutral, as vader recommends. */
const THRESHOLD = 0.05;

/** Sentiment over the customer's turns; the last third counts twice, because it shows the mood at the end. */
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

/** From −1 to 1. */
function scoreOf(text: string): number {
  const sentences = text.split(/[.!?;]+(?:\s|$)/);
  return bounded(sentences.reduce((sum, sentence) => sum + scoreOfSentence(spoken(wordsOf(sentence))), 0));
}

/** Known phrases take precedence over their words. */
function scoreOfSentence(said: string): number {
  if (isSaid(MOCKING, said)) return -PHRASE_WEIGHT;
  const annoyed = said.match(ANNOYED)?.length ?? 0;
  const calm = said.replace(ANNOYED, '');
  const pleased = calm.match(PLEASED)?.length ?? 0;
  const rest = calm.replace(PLEASED, '').replace(SAYS_NOTHING, '');
  const base = vader.SentimentIntensityAnalyzer.polarity_scores(rest).compound;
  return bounded((Math.abs(base) < THRESHOLD_OF_WORDS ? 0 : base) + PHRASE_WEIGHT * (pleased - annoyed));
}

function bounded(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
