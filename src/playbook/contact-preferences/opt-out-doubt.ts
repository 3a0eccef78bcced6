import { DOUBTED_WAYS, FED_UP, OF_CALLS, WITHDRAWN } from './opt-out-doubt-ways.js';
import { isNaming } from './opt-out-tail.js';
import { isSaid, spoken } from '#language/phrasing.js';
import { ORDINARY, OTHERWISE, SOMETIMES } from './talk-of-calls.js';

/** A "no" before the rest of an utterance is an answer of its own and denies none of the rest. */
const PLAIN_NO = /^(?:(?:no|nope|nah|no thanks|no thank you|sorry|well|oh) )+(?!more|further|calls|one)/;

/**
 * True if the speaker may want no more calls, so that the agent should ask. Only for utterances that are no clear
 * opt-out and were not understood otherwise. Expects the words of `wordsOf`.
 */
export function mayBeOptOut(words: readonly string[]): boolean {
  const said = spoken(words).replace(PLAIN_NO, '');
  if (isSaid(OTHERWISE, said)) return false;
  if (isSaid(WITHDRAWN, said)) return true;
  if (isSaid(SOMETIMES, said)) return false;
  if (isSaid(FED_UP, said) && isSaid(OF_CALLS, said)) return true;
  // Words on both sides of a removed phrase are not near each other.
  const parts = said.replace(ORDINARY, '\n').split('\n');
  return parts.some((part, index) => isDoubted(part, parts.slice(index + 1).join('')));
}

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
