import type { Transcript } from '#speech/stt.js';

export const NOT_UNDERSTOOD: Transcript = Object.freeze({ text: '', confidence: 0 });

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
/**
 * No utterance holds a longer silence: the end-of-turn window, 1.2 s at most, and the sound from before the voice was
 * noticed end it first. Where the engine finds one, somebody said more than the grammar knows ("yes, and then I went to
 * the shop …"), and the longer such a silence is, the better it fits by the measure above.
 */
const LONGEST_SILENCE_SECONDS = 2;
/** What clear speech reaches. */
const CLEAR = -0.15;
/** Confidence at the threshold; clear speech has 1. */
const LOWEST_CONFIDENCE = 0.4;

/** The text and confidence of aligned words; doubtful speech is not understood at all rather than misunderstood. */
export function heardOf(alignment: readonly SpokenWord[]): Transcript {
  const { parts, words, text } = read(alignment);
  const score = logProbabilityPerSecond(parts);
  if (words.length === 0 || score < REJECT_BELOW) return NOT_UNDERSTOOD;
  if (longestSilenceSeconds(parts) > LONGEST_SILENCE_SECONDS) return NOT_UNDERSTOOD;
  if (logProbabilityPerSecond(words) < rejectWordsBelow(text)) return NOT_UNDERSTOOD;
  return { text, confidence: confidenceOf(score, { rejectBelow: REJECT_BELOW, clear: CLEAR }) };
}

/** What words in any order have to reach: the whole alignment, and the words alone. */
const DICTATED = { rejectBelow: -0.47, rejectWordsBelow: -0.58, clear: -0.3 };
/** Noise is a word to somebody who knows a thousand of them, but hardly ever two. */
const LEAST_DICTATED_WORDS = 2;

/**
 * {@link heardOf} for dictation. Any word may follow any other there, so everything fits less well. Set on synthetic
 * voices over a telephone line: of what three of them said freely and was taken down in its sense, 6 % lay below; of
 * foreign languages, technical sentences and other things made of words it does not know, 94 %; of noise, all.
 */
export function dictatedOf(alignment: readonly SpokenWord[]): Transcript {
  const { parts, words, text } = read(alignment);
  const score = logProbabilityPerSecond(parts);
  if (words.length < LEAST_DICTATED_WORDS || score < DICTATED.rejectBelow) return NOT_UNDERSTOOD;
  if (logProbabilityPerSecond(words) < DICTATED.rejectWordsBelow) return NOT_UNDERSTOOD;
  return { text, confidence: confidenceOf(score, DICTATED) };
}

/** What a greeting has to reach: the whole alignment, and a sign in it by itself. */
const GREETED = { rejectBelow: -0.42, rejectSignBelow: -0.46 };
/** So many words at most make a sign. */
const LONGEST_SIGN_WORDS = 7;

/**
 * The signs of a greeting that were surely said; the words around them are guesses. Set on synthetic voices over a
 * telephone line: of greetings every one has a sign above this, of long answers that hold no such words none.
 */
export function greetingOf(alignment: readonly SpokenWord[], sign: RegExp): Transcript {
  const { parts, words } = read(alignment);
  const score = logProbabilityPerSecond(parts);
  if (score < GREETED.rejectBelow) return NOT_UNDERSTOOD;
  const signs = words.flatMap((_, from) => {
    const lengths = Array.from({ length: LONGEST_SIGN_WORDS }, (__, index) => index + 1);
    return lengths
      .map((length) => words.slice(from, from + length))
      .filter((part) => sign.test(textOf(part)) && logProbabilityPerSecond(part) >= GREETED.rejectSignBelow)
      .map(textOf);
  });
  if (signs.length === 0) return NOT_UNDERSTOOD;
  return { text: [...new Set(signs)].join(' '), confidence: LOWEST_CONFIDENCE };
}

/** What a grammar heard with this confidence is not doubted, if it accounts for this share of the words. */
const CERTAIN = 0.6;
const CERTAIN_WORDS = 0.75;

/**
 * The better of what was heard of one utterance. A grammar knows little, and that well: what it is sure of is right,
 * unless it found a phrase of its own in a part of something longer.
 */
export function betterOf(heard: Transcript, dictated: Transcript): Transcript {
  if (dictated.text === '') return heard;
  const isWhole = wordCount(heard.text) >= CERTAIN_WORDS * wordCount(dictated.text);
  return heard.confidence >= CERTAIN && isWhole ? heard : dictated;
}

function rejectWordsBelow(text: string): number {
  if (PLAIN.test(text)) return REJECT_PLAIN_BELOW;
  return BARE.test(text) ? REJECT_BARE_BELOW : REJECT_WORDS_BELOW;
}

function confidenceOf(score: number, { rejectBelow, clear }: { rejectBelow: number; clear: number }): number {
  const clearness = Math.min(1, (score - rejectBelow) / (clear - rejectBelow));
  return Number((LOWEST_CONFIDENCE + (1 - LOWEST_CONFIDENCE) * clearness).toFixed(3));
}

/** The parts of an alignment that take time, the words among them, and what they say. */
function read(alignment: readonly SpokenWord[]) {
  const parts = alignment.filter(({ t }) => t !== '(NULL)');
  const words = parts.filter((part) => !isSilence(part));
  return { parts, words, text: textOf(words) };
}

function textOf(words: readonly SpokenWord[]): string {
  return words.map(({ t }) => t.replace(/\(\d+\)$/, '')).join(' ');
}

function isSilence({ t }: SpokenWord): boolean {
  return /^[<[]/.test(t);
}

function longestSilenceSeconds(parts: readonly SpokenWord[]): number {
  let [longest, current] = [0, 0];
  for (const part of parts) {
    current = isSilence(part) ? current + part.d : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

function wordCount(text: string): number {
  return text === '' ? 0 : text.split(' ').length;
}

function logProbabilityPerSecond(parts: readonly SpokenWord[]): number {
  const seconds = parts.reduce((sum, part) => sum + part.d, 0);
  const logProbability = parts.reduce((sum, part) => sum + Math.log(Math.max(part.p, 1e-6)), 0);
  return seconds > 0 ? logProbability / seconds : -Infinity;
}
