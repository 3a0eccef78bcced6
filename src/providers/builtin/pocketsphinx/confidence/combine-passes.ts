import type { Transcript } from '#speech/stt.js';
import { NOT_UNDERSTOOD } from './confidence.js';
import { hasDenial } from './yes-no-transcript.js';

/**
 * Decides whether an utterance needs the second pass for refusals, and which of the two results counts. Used by
 * `SecondPass`.
 */

/** Words that soften a refusal. Hardly anything else sounds like them, so they make a refusal clear. */
const REGRET = /(?:^| )(?:unfortunately|afraid|sorry)(?: |$)/;
/** Without a word of regret, a refusal found only by the second pass needs this confidence and this many words. */
const CLEAR_CONFIDENCE = 0.55;
const CLEAR_WORDS = 3;
/** A first result with this confidence is kept: most refusals that are mistaken for a yes lie below. */
const KEPT_CONFIDENCE = 0.66;

/** True if a second pass for refusals is worthwhile: the first result is neither a no nor confident. */
export function mayBeRefusal({ text, confidence }: Transcript): boolean {
  return !hasDenial(text) && confidence < KEPT_CONFIDENCE;
}

/**
 * Combines the result of the first pass with that of the second pass, whose grammar has more refusals. A refusal that
 * only the second pass found counts if it is clear, and at least as confident as the first result; otherwise the answer
 * counts as not understood. A yes only comes from the first pass.
 */
export function combinePasses(first: Transcript, second: Transcript): Transcript {
  if (!hasDenial(second.text) || hasDenial(first.text)) return first;
  const isLong = second.text.split(' ').length >= CLEAR_WORDS;
  const isClear = REGRET.test(second.text) || (isLong && second.confidence >= CLEAR_CONFIDENCE);
  return isClear && second.confidence >= first.confidence ? second : NOT_UNDERSTOOD;
}
