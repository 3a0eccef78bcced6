import { DOUBTED_WAYS, FED_UP, OF_CALLS, WITHDRAWN } from './opt-out-doubt-ways.js';
import { isNaming } from './opt-out-tail.js';
import { isSaid, spoken } from '#language/phrasing.js';
import { ORDINARY, OTHERWISE, SOMETIMES } from './talk-of-calls.js';

/** A "no" at the beginning answers the question; it does not negate the rest of the utterance. */
const PLAIN_NO = /^(?:(?:no|nope|nah|no thanks|no thank you|sorry|well|oh) )+(?!more|further|calls|one)/;

/**
 * True if the caller may want no more calls, so that the agent should ask. Only for utterances that are no clear
 * opt-out and have no other known meaning.
 * @param words the words of the utterance, as `wordsOf` returns them
 */
export function mayBeOptOut(words: readonly string[]): boolean {
  const said = spoken(words).replace(PLAIN_NO, '');
  // A question, or a proposal of another number or way.
  if (isSaid(OTHERWISE, said)) return false;
  if (isSaid(WITHDRAWN, said)) return true;
  // A wish for some time or place only; an opt-out is permanent.
  if (isSaid(SOMETIMES, said)) return false;
  if (isSaid(FED_UP, said) && isSaid(OF_CALLS, said)) return true;
  // Everyday phrases about calls are cut out. The words before and after a cut do not count as near each other.
  const parts = said.replace(ORDINARY, '\n').split('\n');
  return parts.some((part, index) => isDoubted(part, parts.slice(index + 1).join('')));
}

/**
 * True if a part of the utterance has a possible opt-out that no words before it give another meaning.
 * @param next the rest of the utterance, where "call me …" may turn out to be about a name
 */
function isDoubted(part: string, next: string): boolean {
  return DOUBTED_WAYS.some(({ said, unless }) =>
    [...part.matchAll(said)].some((match) => {
      const end = match.index + match[0].length;
      const fromLastWord = part.slice(part.lastIndexOf(' ', end - 2) + 1) + next;
      const head = part.slice(0, match.index);
      return !isNaming(fromLastWord) && !unless.some((ways) => isSaid(ways, head));
    }),
  );
}
