import vader from 'vader-sentiment';
import { matches, toMatchText } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import { SENTIMENTS } from './analysis.js';
import { ANNOYED, MOCKING, PLEASED, NO_SENTIMENT } from './sentiment-phrasings.js';

/** The effect of one pleased or annoyed phrase on the score of its sentence, which ranges from −1 to 1. */
const PHRASE_WEIGHT = 0.5;
/** A smaller score of the lexicon for a sentence is ignored. */
const MIN_WORD_SCORE = 0.1;
/** A smaller mean score is neutral, as the authors of the lexicon (vader) recommend. */
const MIN_TEXT_SCORE = 0.05;

/**
 * The sentiment of a call from the customer's turns, in English. The last third of the turns counts twice, because it
 * shows the mood at the end. `analyseCall` uses it.
 */
export function sentimentOf(turns: readonly string[]): (typeof SENTIMENTS)[number] {
  /** The index of the first turn that counts twice. */
  const lateFrom = turns.length - Math.floor(turns.length / 3);
  let sum = 0;
  let weights = 0;
  turns.forEach((turn, index) => {
    const weight = index >= lateFrom ? 2 : 1;
    sum += weight * scoreOf(turn);
    weights += weight;
  });
  const mean = weights === 0 ? 0 : sum / weights;
  if (Math.abs(mean) < MIN_TEXT_SCORE) return 'neutral';
  return mean > 0 ? 'positive' : 'negative';
}

/** The sentiment of one turn, from −1 (negative) to 1. */
function scoreOf(text: string): number {
  const sentences = text.split(/[.!?;]+(?:\s|$)/);
  return bounded(
    sentences.reduce((sum, sentence) => sum + scoreOfSentence(toMatchText(wordsOf(sentence))), 0),
  );
}

/**
 * The sentiment of one sentence, from −1 to 1: known phrasings count first, then the lexicon scores the rest.
 * @param said the sentence in the form of `toMatchText`
 */
function scoreOfSentence(said: string): number {
  if (matches(MOCKING, said)) return -PHRASE_WEIGHT;
  const annoyed = said.match(ANNOYED)?.length ?? 0;
  const calm = said.replace(ANNOYED, '');
  const pleased = calm.match(PLEASED)?.length ?? 0;
  const rest = calm.replace(PLEASED, '').replace(NO_SENTIMENT, '');
  const base = vader.SentimentIntensityAnalyzer.polarity_scores(rest).compound;
  return bounded((Math.abs(base) < MIN_WORD_SCORE ? 0 : base) + PHRASE_WEIGHT * (pleased - annoyed));
}

function bounded(score: number): number {
  return Math.max(-1, Math.min(1, score));
}
