import { wordsOf } from '#language/words.js';
import { numberAt } from './number-words.js';

const MORE_BEHIND = /^(?:more|extra|additional|further)(?: (?!or )|$)/;
const FEWER_BEHIND = /^(?:less|fewer)(?: |$)/;
const MORE_BEFORE = /^(?:plus|another|add|extra|additional)$/;
/** "One more time", "one more minute": the number does not change. */
const OF_SOMETHING_ELSE =
  /^(?:more|extra|additional|further|less|fewer)? ?(?:times?|things?|questions?|moments?|minutes?|seconds?|sec|chance|try|go|call)(?: |$)/;
/** "One more than ten": relative to another number than the earlier answer. */
const THAN_ANOTHER = /^[^ ]+ than (?!that|this|before|i said|you said)/;
/**
 * Words of questions that ask for a difference, such as "How many more guests are there?": the number is the answer.
 */
const ASKS_FOR_MORE = new Set(
  wordsOf('more extra additional another further other less fewer add remaining left'),
);

/** True if a number is a difference: "one more", "two fewer", "another three". */
export function isDifference(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  asked?: string | null,
): boolean {
  if (wordsOf(asked ?? '').some((word) => ASKS_FOR_MORE.has(word))) return false;
  return signAt(words, { start, end }) !== 0;
}

/** 1 for an addition, -1 for a subtraction, 0 for neither. */
function signAt(words: readonly string[], { start, end }: { start: number; end: number }): -1 | 0 | 1 {
  const behind = words.slice(end, end + 4).join(' ');
  if (FEWER_BEHIND.test(behind)) return -1;
  return MORE_BEHIND.test(behind) || MORE_BEFORE.test(words[start - 1] ?? '') ? 1 : 0;
}

/** The new value of an earlier number: "one more" after 4 is 5; null if the words are no such change. */
export function changedBy(words: readonly string[], from: number): number | null {
  const numbers: { value: number; start: number; end: number }[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const hit = numberAt(words, index);
    if (!hit) continue;
    numbers.push({ value: hit.value, start: index, end: index + hit.length });
    index += hit.length - 1;
  }
  const [only] = numbers;
  if (!only || numbers.length > 1) return null;
  const behind = words.slice(only.end).join(' ');
  // "No one more" adds nothing.
  const isDenied = /^(?:no|not|never)$/.test(words[only.start - 1] ?? '');
  if (isDenied || OF_SOMETHING_ELSE.test(behind) || THAN_ANOTHER.test(behind)) return null;
  const sign = signAt(words, only);
  return sign === 0 ? null : from + sign * only.value;
}
