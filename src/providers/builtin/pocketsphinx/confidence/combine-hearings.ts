import type { Transcript } from '#speech/stt.js';
import { NOT_UNDERSTOOD } from './confidence.js';
import { isDenial } from './assent.js';

/** Words that a refusal is softened with; hardly anything that is said instead of one sounds like them. */
const REGRET = /(?:^| )(?:unfortunately|afraid|sorry)(?: |$)/;
/** Without them, what only the second hearing found has to be so clear, and so long. */
const CLEAR = 0.55;
const LEAST_WORDS = 3;
/** What the first hearing was so sure of stands: below, most of what it took for a yes by mistake was found. */
const SURE = 0.66;

/** Whether it is worth listening once more for a refusal: not to who has said no, or something else for certain. */
export function mayBeRefusal({ text, confidence }: Transcript): boolean {
  return !isDenial(text) && confidence < SURE;
}

/**
 * What was said, after a second hearing that knows more ways to refuse than the first. It makes no yes of anything:
 * where it found a refusal and the first did not, that counts if it is clear, and else nothing was understood.
 */
export function combineHearings(first: Transcript, second: Transcript): Transcript {
  if (!isDenial(second.text) || isDenial(first.text)) return first;
  const isLong = second.text.split(' ').length >= LEAST_WORDS;
  const isClear = REGRET.test(second.text) || (isLong && second.confidence >= CLEAR);
  return isClear && second.confidence >= first.confidence ? second : NOT_UNDERSTOOD;
}
