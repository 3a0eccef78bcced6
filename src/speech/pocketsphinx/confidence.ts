import type { Heard } from '../hearing.js';

export const NOT_UNDERSTOOD: Heard = Object.freeze({ text: '', confidence: 0 });

/** One word as the engine aligned it: duration in seconds and probability. */
export interface SpokenWord {
  t: string;
  d: number;
  p: number;
}

/**
 * Log probability per second of the whole alignment, silences included: speech from outside the grammar ends up in
 * words and "silences" that fit badly. Below this it was most likely none of the grammar's. Set on synthetic voices
 * over a telephone line: of what they said within the grammar 1 % lay below, of whole sentences from outside it four
 * in five. Short words from outside that sound like an answer ("know") pass; people were not measured.
 */
const REJECT_BELOW = -0.32;
/** The same for the words alone, which catches a badly fitting word between good silences. */
const REJECT_WORDS_BELOW = -0.52;
/**
 * The same for a plain yes or no: in one short word its edges weigh most, and strangers' voices go below the usual
 * threshold. Saying it is what the call is about, so it is taken more readily than anything else.
 */
const REJECT_PLAIN_BELOW = -0.6;
const PLAIN = /^(?:(?:uh|um|oh|well) )?(?:yes|yeah|no|nope|nah)(?: (?:please|thanks|thank you))?$/;
/** The same for "I do", "it will": a mumbled "no" fits them too, and a no must not be taken for a yes. */
const REJECT_BARE_BELOW = -0.47;
const BARE = /^(?:i|we|it) (?:am|are|is|was|do|does|did|have|can|will|would)$/;
/** What clear speech reaches. */
const CLEAR = -0.15;
/** Confidence at the threshold; clear speech has 1. */
const LOWEST_CONFIDENCE = 0.4;

/** The text and confidence of aligned words; doubtful speech is not understood at all rather than misunderstood. */
export function heardOf(alignment: readonly SpokenWord[]): Heard {
  const parts = alignment.filter(({ t }) => t !== '(NULL)');
  const words = parts.filter(({ t }) => !/^[<[]/.test(t));
  const score = logProbabilityPerSecond(parts);
  if (words.length === 0 || score < REJECT_BELOW) return NOT_UNDERSTOOD;
  const text = words.map(({ t }) => t.replace(/\(\d+\)$/, '')).join(' ');
  if (logProbabilityPerSecond(words) < rejectWordsBelow(text)) return NOT_UNDERSTOOD;
  const clearness = Math.min(1, (score - REJECT_BELOW) / (CLEAR - REJECT_BELOW));
  return {
    text,
    confidence: Number((LOWEST_CONFIDENCE + (1 - LOWEST_CONFIDENCE) * clearness).toFixed(3)),
  };
}

function rejectWordsBelow(text: string): number {
  if (PLAIN.test(text)) return REJECT_PLAIN_BELOW;
  return BARE.test(text) ? REJECT_BARE_BELOW : REJECT_WORDS_BELOW;
}

function logProbabilityPerSecond(parts: readonly SpokenWord[]): number {
  const seconds = parts.reduce((sum, part) => sum + part.d, 0);
  const logProbability = parts.reduce((sum, part) => sum + Math.log(Math.max(part.p, 1e-6)), 0);
  return seconds > 0 ? logProbability / seconds : -Infinity;
}
