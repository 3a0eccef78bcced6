import type { Heard } from '../hearing.js';

export const NOT_UNDERSTOOD: Heard = Object.freeze({ text: '', confidence: 0 });

/** One word as the engine aligned it: duration in seconds and probability. */
export interface SpokenWord {
  t: string;
  d: number;
  p: number;
}

/**
 * Log probability of the words per second of speech, below which speech was most likely none of the grammar's: 5 % of
 * right answers fall below it, and 88 % of people's sentences from outside the grammar.
 */
const REJECT_BELOW = -0.375;
/** What clear speech reaches. */
const CLEAR = -0.1;
/** Confidence at the threshold and of clear speech. */
const LOWEST_CONFIDENCE = 0.4;

/** The text and confidence of aligned words; doubtful speech is not understood at all rather than misunderstood. */
export function heardOf(alignment: readonly SpokenWord[]): Heard {
  const words = alignment.filter(({ t }) => !/^[<([]/.test(t));
  const seconds = words.reduce((sum, word) => sum + word.d, 0);
  if (words.length === 0 || seconds <= 0) return NOT_UNDERSTOOD;
  const score = words.reduce((sum, word) => sum + Math.log(Math.max(word.p, 1e-6)), 0) / seconds;
  if (score < REJECT_BELOW) return NOT_UNDERSTOOD;
  const clearness = Math.min(1, (score - REJECT_BELOW) / (CLEAR - REJECT_BELOW));
  return {
    text: words.map(({ t }) => t.replace(/\(\d+\)$/, '')).join(' '),
    confidence: Number((LOWEST_CONFIDENCE + (1 - LOWEST_CONFIDENCE) * clearness).toFixed(3)),
  };
}
