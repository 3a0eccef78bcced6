import { wordsOf } from '#language/words.js';
import { numberAt } from './number-words.js';

/*
 * Reads differences to an earlier number: "one more", "two fewer". A caller corrects an answer with them: the playbook
 * adds the difference to the answer, and `readNumber` does not take it for an answer. English only.
 */

/** Words after or before a number that make it a difference. "More or less" after a number does not. */
const MORE_BEHIND = /^(?:more|extra|additional|further)(?: (?!or )|$)/;
const FEWER_BEHIND = /^(?:less|fewer)(?: |$)/;
const MORE_BEFORE = /^(?:plus|another|add|extra|additional)$/;
/** Words after a number that count something else, so that the earlier number stays: "one more time". */
const DIFFERENCE_OF_ANOTHER_THING =
  /^(?:more|extra|additional|further|less|fewer)? ?(?:times?|things?|questions?|moments?|minutes?|seconds?|sec|chance|try|go|call)(?: |$)/;
/** Comparisons with another number than the earlier answer: "one more than ten". */
const THAN_ANOTHER = /^[^ ]+ than (?!that|this|before|i said|you said)/;
/** Words of questions that ask for a difference, so that the number itself is the answer: "How many more guests?". */
const ASKS_FOR_MORE = new Set(
  wordsOf('more extra additional another further other less fewer add remaining left'),
);

/**
 * True if a number is a difference to an earlier one ("one more", "two fewer", "another three"), and no answer itself.
 * `readNumber` then ignores it.
 */
export function isDifference(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  asked?: string | null,
): boolean {
  if (wordsOf(asked ?? '').some((word) => ASKS_FOR_MORE.has(word))) return false;
  return differenceSignAt(words, { start, end }) !== 0;
}

/** 1 if the words around a number make it an addition, -1 for a subtraction, 0 for neither. */
function differenceSignAt(
  words: readonly string[],
  { start, end }: { start: number; end: number },
): -1 | 0 | 1 {
  const behind = words.slice(end, end + 4).join(' ');
  if (FEWER_BEHIND.test(behind)) return -1;
  return MORE_BEHIND.test(behind) || MORE_BEFORE.test(words[start - 1] ?? '') ? 1 : 0;
}

/**
 * The earlier number after a change: "one more" after 4 gives 5. Null if the words are no change, or hold several
 * numbers.
 * @param from the earlier number
 */
export function applyDifference(words: readonly string[], from: number): number | null {
  const numbers: { value: number; start: number; end: number }[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const hit = numberAt(words, index);
    if (!hit) continue;
    numbers.push({ value: hit.value, start: index, end: index + hit.length });
    index += hit.length - 1;
  }
  const [only] = numbers;
  // Several numbers make the difference unclear.
  if (!only || numbers.length > 1) return null;
  const behind = words.slice(only.end).join(' ');
  // "No one more" adds nothing.
  const isDenied = /^(?:no|not|never)$/.test(words[only.start - 1] ?? '');
  if (isDenied || DIFFERENCE_OF_ANOTHER_THING.test(behind) || THAN_ANOTHER.test(behind)) return null;
  const sign = differenceSignAt(words, only);
  return sign === 0 ? null : from + sign * only.value;
}
