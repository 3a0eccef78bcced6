import type { Transcript } from '#speech/stt.js';

/**
 * Turns the engine's alignments (which word was said when, and how well it fits the audio) into transcripts: rejects
 * results that fit badly, and rates the others. The engine always returns words of its grammar, also for noise and for
 * words outside the grammar. The score of a result is its log probability per second: 0 fits perfectly, lower fits
 * worse. `Decoder` uses the function of its grammar, and `PocketsphinxSession` compares two results.
 */

/** The transcript of speech without reliable words. */
export const NOT_UNDERSTOOD: Transcript = Object.freeze({ text: '', confidence: 0 });

/** One word or silence of an alignment, in the engine's format. */
export interface AlignedWord {
  /** The word, with `(2)` and so on for other pronunciations; silences and fillers are in `<>` or `[]`. */
  t: string;
  /** Duration in seconds. */
  d: number;
  /** Probability, 0 to 1. */
  p: number;
}

/**
 * The least score of the whole alignment, silences included: speech outside the grammar ends up in words and "silences"
 * that fit badly. Measured with synthetic voices over a telephone line: 1 % of speech within the grammar lay below, and
 * four in five whole sentences outside it. Short words outside the grammar that sound like an answer ("know") pass. Not
 * measured with human speakers.
 */
const REJECT_BELOW = -0.32;
/** The least score of the words alone, which catches a badly fitting word between good silences. */
const REJECT_WORDS_BELOW = -0.52;
/**
 * The least score of the words of a plain yes or no: in one short word the edges weigh most, and unfamiliar voices fall
 * below the usual threshold. As these answers matter most, they are accepted more readily.
 */
const REJECT_PLAIN_BELOW = -0.6;
const PLAIN_ANSWER = /^(?:(?:uh|um|oh|well) )?(?:yes|yeah|no|nope|nah)(?: (?:please|thanks|thank you))?$/;
/**
 * The least score of the words of short sentences such as "I do", "it will": a mumbled "no" fits them too, and a no
 * must not become a yes.
 */
const REJECT_SHORT_SENTENCE_BELOW = -0.47;
const SHORT_SENTENCE = /^(?:i|we|it) (?:am|are|is|was|do|does|did|have|can|will|would)$/;
/**
 * No utterance contains a longer silence, because the end-of-turn window (1.2 s at most) ends it first. If the engine
 * finds a longer one, the caller said words outside the grammar ("yes, and then I went to the shop …"). The thresholds
 * above do not catch this: the longer the supposed silence, the better its score.
 */
const LONGEST_SILENCE_SECONDS = 2;
/** The score of clear speech. */
const CLEAR = -0.15;
/** The confidence of a result at the threshold; clear speech has confidence 1. */
const LOWEST_CONFIDENCE = 0.4;

/**
 * The transcript of an utterance that was recognised with a grammar. A doubtful result counts as not understood: asking
 * again is better than acting on words that were not said.
 */
export function grammarTranscript(alignment: readonly AlignedWord[]): Transcript {
  const { parts, words, text } = partsOf(alignment);
  const score = logProbabilityPerSecond(parts);
  if (words.length === 0 || score < REJECT_BELOW) return NOT_UNDERSTOOD;
  if (longestSilenceSeconds(parts) > LONGEST_SILENCE_SECONDS) return NOT_UNDERSTOOD;
  if (logProbabilityPerSecond(words) < rejectWordsBelow(text)) return NOT_UNDERSTOOD;
  return { text, confidence: confidenceOf(score, { rejectBelow: REJECT_BELOW, clear: CLEAR }) };
}

/** Thresholds for dictation: the whole alignment, the words alone, and the score of clear speech. */
const DICTATION = { rejectBelow: -0.47, rejectWordsBelow: -0.58, clear: -0.3 };
/** Noise often becomes one word of a large vocabulary, but hardly ever two. */
const LEAST_DICTATED_WORDS = 2;

/**
 * {@link grammarTranscript} for dictation, where any word may follow any other and everything fits less well. Set with
 * synthetic voices over a telephone line. Rejected were 6 % of the free speech whose sense was transcribed, 94 % of
 * foreign languages, technical sentences and other unknown words, and all noise.
 */
export function dictationTranscript(alignment: readonly AlignedWord[]): Transcript {
  const { parts, words, text } = partsOf(alignment);
  const score = logProbabilityPerSecond(parts);
  if (words.length < LEAST_DICTATED_WORDS || score < DICTATION.rejectBelow) return NOT_UNDERSTOOD;
  if (logProbabilityPerSecond(words) < DICTATION.rejectWordsBelow) return NOT_UNDERSTOOD;
  return { text, confidence: confidenceOf(score, DICTATION) };
}

/** Thresholds for a greeting: the whole alignment, and a single sign (a phrase that only machines say). */
const GREETING = { rejectBelow: -0.42, rejectSignBelow: -0.46 };
/** The longest sign, in words. */
const LONGEST_SIGN_WORDS = 7;

/**
 * The transcript of a voicemail greeting: only its signs that were surely said, as the words around them are guesses.
 * Set with synthetic voices over a telephone line: every greeting has a sign above this threshold, long answers without
 * these phrases have none. The confidence is always the lowest.
 * @param sign matches a text that is one sign
 */
export function greetingTranscript(alignment: readonly AlignedWord[], sign: RegExp): Transcript {
  const { parts, words } = partsOf(alignment);
  if (logProbabilityPerSecond(parts) < GREETING.rejectBelow) return NOT_UNDERSTOOD;
  // Every sequence of 1 to 7 words is tried as a sign.
  const signs = words.flatMap((_, from) => {
    const lengths = Array.from({ length: LONGEST_SIGN_WORDS }, (__, index) => index + 1);
    return lengths
      .map((length) => words.slice(from, from + length))
      .filter((part) => sign.test(textOf(part)) && logProbabilityPerSecond(part) >= GREETING.rejectSignBelow)
      .map(textOf);
  });
  if (signs.length === 0) return NOT_UNDERSTOOD;
  return { text: [...new Set(signs)].join(' '), confidence: LOWEST_CONFIDENCE };
}

/** From this confidence on, a result of a grammar is preferred to dictation if it covers the utterance. */
const CERTAIN = 0.6;
/** It covers the utterance if it has at least this share of the number of dictated words. */
const CERTAIN_WORDS_SHARE = 0.75;

/**
 * The better of two results for one utterance: `matched` with a grammar, `dictated` word by word. A grammar is reliable
 * for its few phrases, unless it recognised a phrase in a part of a longer utterance.
 */
export function betterTranscript(matched: Transcript, dictated: Transcript): Transcript {
  if (dictated.text === '') return matched;
  const isWhole = wordCount(matched.text) >= CERTAIN_WORDS_SHARE * wordCount(dictated.text);
  return matched.confidence >= CERTAIN && isWhole ? matched : dictated;
}

/** The threshold for the words of a text. */
function rejectWordsBelow(text: string): number {
  if (PLAIN_ANSWER.test(text)) return REJECT_PLAIN_BELOW;
  return SHORT_SENTENCE.test(text) ? REJECT_SHORT_SENTENCE_BELOW : REJECT_WORDS_BELOW;
}

/** The confidence for a score: linear between threshold and clear speech. */
function confidenceOf(score: number, { rejectBelow, clear }: { rejectBelow: number; clear: number }): number {
  const clearness = Math.min(1, (score - rejectBelow) / (clear - rejectBelow));
  return Number((LOWEST_CONFIDENCE + (1 - LOWEST_CONFIDENCE) * clearness).toFixed(3));
}

/** The words and silences of an alignment, the words among them, and their text. `(NULL)` is a silent transition. */
function partsOf(alignment: readonly AlignedWord[]) {
  const parts = alignment.filter(({ t }) => t !== '(NULL)');
  const words = parts.filter((part) => !isSilence(part));
  return { parts, words, text: textOf(words) };
}

function textOf(words: readonly AlignedWord[]): string {
  return words.map(({ t }) => t.replace(/\(\d+\)$/, '')).join(' ');
}

/** True for silences, noises and fillers. */
function isSilence({ t }: AlignedWord): boolean {
  return /^[<[]/.test(t);
}

/** The longest silence in an alignment; successive silences count as one. */
function longestSilenceSeconds(parts: readonly AlignedWord[]): number {
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

/** The score of some words and silences: 0 fits perfectly, lower values fit worse. */
function logProbabilityPerSecond(parts: readonly AlignedWord[]): number {
  const seconds = parts.reduce((sum, part) => sum + part.d, 0);
  const logProbability = parts.reduce((sum, part) => sum + Math.log(Math.max(part.p, 1e-6)), 0);
  return seconds > 0 ? logProbability / seconds : -Infinity;
}
