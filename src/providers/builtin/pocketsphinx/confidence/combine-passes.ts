import type { Transcript } from '#speech/stt.js';
import { NOT_UNDERSTOOD } from './confidence.js';
import { isDenial } from './assent.js';

/** Words that soften a refusal; hardly anything else sounds like them. */
const REGRET = /(?:^| )(?:unfortunately|afraid|sorry)(?: |$)/;
/** Without such words, a refusal found only by the second pass needs this confidence and this length. */
const CLEAR = 0.55;
const LEAST_WORDS = 3;
/** A first result this confident stands: most refusals mistaken for a yes lie below. */
const SURE = 0.66;

/** True if a second pass for refusals is worthwhile: not after a no, or a confident other result. */
export function mayBeRefusal({ text, confidence }: Transcript): boolean {
  return !isDenial(text) && confidence < SURE;
}

/**
 * Combines the first result with a second pass that knows more refusals. It never produces a yes: a refusal that only
 * the second pass found counts if it is clear; otherwise the answer counts as not understood.
 */
export function combinePasses(first: Transcript, second: Transcript): Transcript {
  if (!isDenial(second.text) || isDenial(first.text)) return first;
  const isLong = second.text.split(' ').length >= LEAST_WORDS;
  const isClear = REGRET.test(second.text) || (isLong && second.confidence >= CLEAR);
  return isClear && second.confidence >= first.confidence ? second : NOT_UNDERSTOOD;
}
