import { smallNumberAt } from '#language/numbers/number-words.js';
import { isOpenEnded, isRuledOut, type Place } from './ruled-out.js';

/** A value in an utterance, from the word `start` to before the word `end`. */
export interface Mention<Value> extends Place {
  value: Value;
}

/** Words after which only the rest counts: "Tuesday … no, Wednesday". */
const CORRECTIONS = new Set([
  'no',
  'wait',
  'actually',
  'sorry',
  'mean',
  'meant',
  'rather',
  'instead',
  'correction',
]);
/** The end of an utterance that takes the last value back: "Tuesday. No, wait." */
const TAKEN_BACK = /(?:^| )(?:no|wait|scratch that|forget it|forget that)(?: (?:no|wait|sorry))*$/;

/**
 * The value that is meant; null if none is, or if several remain possible. Values that are ruled out do not count, and
 * after a correction only later values do.
 * @param settle the common value of some mentions; null if they leave it open
 * @param options.openEnded true if "after three" counts as three
 */
export function meantOf<One extends Place, Meant>(
  words: readonly string[],
  mentions: readonly One[],
  settle: (mentions: readonly One[]) => Meant | null,
  options: { openEnded?: boolean } = {},
): Meant | null {
  const allowed = mentions.filter((_mention, index) => !isRuledOut(words, mentions, index));
  if (allowed.length === 0 || isTakenBack(words, mentions.at(-1)!)) return null;
  const settleAll = (some: readonly One[]) =>
    options.openEnded !== true && some.some((mention) => isOpenEnded(words, mention)) ? null : settle(some);
  const together = settleAll(allowed);
  if (together !== null) return together;
  const change = lastChange(words, allowed);
  if (change >= 0) return settleAll(allowed.filter((mention) => mention.start > change));
  const last = allowed.at(-1)!;
  return isConclusion(words, last.start) ? settleAll([last]) : null;
}

/** "I waited two hours, so three": what stands before "so" is only a reason. */
const SO =
  /(?<!(?:^| )(?:not|quite|or)) so(?: (?:an?|the|i (?:would |will )?(?:say|give)(?: you| it)?|maybe|perhaps|about|on|at|let us say|make it|it is))*$/;

/** True if the value that begins at `start` is a conclusion. */
function isConclusion(words: readonly string[], start: number): boolean {
  return SO.test(` ${words.slice(0, start).join(' ')}`);
}

/** Index of the last correction before the last mention; -1 if there is none. */
export function lastChange(words: readonly string[], mentions: readonly Place[]): number {
  const last = mentions.at(-1);
  return last ? words.findLastIndex((word, index) => index < last.start && CORRECTIONS.has(word)) : -1;
}

/** The first mention, if all have one value. */
export function onlyOne<One extends Mention<unknown>>(mentions: readonly One[]): One | null {
  const first = mentions[0];
  return first && mentions.every((mention) => mention.value === first.value) ? first : null;
}

/** True if the last value is followed by a correction whose new value was not recognised. */
function isTakenBack(words: readonly string[], last: Place): boolean {
  const tail = words.slice(last.end);
  if (TAKEN_BACK.test(tail.join(' '))) return true;
  const change = tail.findIndex((word) => CORRECTIONS.has(word));
  return (
    change >= 0 &&
    tail.some((word, index) => index > change && (/^\d/.test(word) || smallNumberAt(tail, index) !== null))
  );
}
