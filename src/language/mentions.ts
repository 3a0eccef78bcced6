import { smallNumberAt } from '#language/numbers/number-words.js';
import { isOpenEnded, isRuledOut, type WordSpan } from './ruled-out.js';

/*
 * Readers of dates, times and numbers find all values that an English utterance mentions. The functions of this file
 * decide for them which value the caller means, by denials and corrections: "not Monday", "Tuesday … no, Wednesday".
 */

/** A value mentioned in an utterance, with its place. */
export interface Mention<Value> extends WordSpan {
  value: Value;
}

/** Words of correction, after which only later values count: "Tuesday … no, Wednesday". */
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
/** Words at the end of an utterance that take the last value back: "Tuesday. No, wait." */
const TAKEN_BACK = /(?:^| )(?:no|wait|scratch that|forget it|forget that)(?: (?:no|wait|sorry))*$/;

/**
 * The value that the caller means; null if there is none, or if several remain possible. Values that are ruled out do
 * not count. If the others do not agree, only the values after the last correction count ("Tuesday … no, Wednesday"),
 * or the last value if it is a conclusion ("two hours, so three").
 * @param mentions all values in the utterance, from left to right
 * @param commonValue returns the value that some mentions agree on; null if they do not
 * @param options.openEnded true if a mere bound counts as its value ("after three" as three); default false
 */
export function resolveMentions<One extends WordSpan, Meant>(
  words: readonly string[],
  mentions: readonly One[],
  commonValue: (mentions: readonly One[]) => Meant | null,
  options: { openEnded?: boolean } = {},
): Meant | null {
  const allowed = mentions.filter((_mention, index) => !isRuledOut(words, mentions, index));
  if (allowed.length === 0 || isTakenBack(words, mentions.at(-1)!)) return null;
  const decide = (considered: readonly One[]) =>
    options.openEnded !== true && considered.some((mention) => isOpenEnded(words, mention))
      ? null
      : commonValue(considered);
  const agreed = decide(allowed);
  if (agreed !== null) return agreed;
  const correctionAt = lastCorrection(words, allowed);
  if (correctionAt >= 0) return decide(allowed.filter((mention) => mention.start > correctionAt));
  const last = allowed.at(-1)!;
  return isConclusion(words, last.start) ? decide([last]) : null;
}

/** "So" before a value: the values before it are only reasons ("I waited two hours, so three"). */
const CONCLUSION =
  /(?<!(?:^| )(?:not|quite|or)) so(?: (?:an?|the|i (?:would |will )?(?:say|give)(?: you| it)?|maybe|perhaps|about|on|at|let us say|make it|it is))*$/;

/** True if the value that begins at the word `start` is a conclusion. */
function isConclusion(words: readonly string[], start: number): boolean {
  return CONCLUSION.test(` ${words.slice(0, start).join(' ')}`);
}

/** The index of the last word of correction before the last mention; -1 if there is none. */
export function lastCorrection(words: readonly string[], mentions: readonly WordSpan[]): number {
  const last = mentions.at(-1);
  return last ? words.findLastIndex((word, index) => index < last.start && CORRECTIONS.has(word)) : -1;
}

/** The first mention if all mentions have the same value; else null. */
export function sharedMention<One extends Mention<unknown>>(mentions: readonly One[]): One | null {
  const first = mentions[0];
  return first && mentions.every((mention) => mention.value === first.value) ? first : null;
}

/** True if a correction follows the last value, and its new value is missing or was not recognised. */
function isTakenBack(words: readonly string[], last: WordSpan): boolean {
  const tail = words.slice(last.end);
  if (TAKEN_BACK.test(tail.join(' '))) return true;
  const correctionAt = tail.findIndex((word) => CORRECTIONS.has(word));
  return (
    correctionAt >= 0 &&
    tail.some(
      (word, index) => index > correctionAt && (/^\d/.test(word) || smallNumberAt(tail, index) !== null),
    )
  );
}
