import type { DateTime } from 'luxon';
import { smallNumberAt } from '#language/numbers/number-words.js';

/** The reference days of an utterance. */
export interface DayContext {
  /** Midnight in the caller's zone. */
  today: DateTime;
  /** A day mentioned before: "the sixth" is in its month, "the day after" follows it. */
  near: DateTime | null;
}

/** A day found among words, as the days it may mean, the likeliest first; empty if it stays open which. */
export interface DayHit {
  days: readonly DateTime[];
  /** The number of words. */
  length: number;
}

/** Finds a day that begins at a word. */
export type DayReader = (words: readonly string[], index: number, context: DayContext) => DayHit | null;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const SHORT_WEEKDAYS: ReadonlyMap<string, number> = new Map([
  ['mon', 1],
  ['tue', 2],
  ['tues', 2],
  ['thu', 4],
  ['thur', 4],
  ['thurs', 4],
  ['fri', 5],
]);
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3));

/** 1 (Monday) to 7; 0 for other words. */
export function weekdayOf(word: string | undefined): number {
  if (word === undefined) return 0;
  return WEEKDAYS.indexOf(word.replace(/'?s$/, '')) + 1 || (SHORT_WEEKDAYS.get(word) ?? 0);
}

/** 1 to 12; 0 for other words. */
export function monthOf(word: string | undefined): number {
  if (word === undefined) return 0;
  const long = MONTHS.indexOf(word) + 1;
  return long > 0 ? long : word === 'sept' ? 9 : SHORT_MONTHS.indexOf(word) + 1;
}

/** True if the phrase begins at the word. */
export function standsAt(words: readonly string[], index: number, phrase: readonly string[]): boolean {
  return phrase.every((word, offset) => words[index + offset] === word);
}

/** Words after an ordinal that is no day: "the first one", "second choice", "first thing". */
const COUNTED =
  /^(?:ones?|times?|things?|choice|option|half|floor|weeks?|months?|available|possible|free|days?|slot|appointment|opening|thoughts?|person|class|call|name|quarter)$/;

/** An ordinal, with or without "the". `isSure` if it can only be a day ("the first one" is not). */
export function dayOfMonthAt(words: readonly string[], index: number) {
  const at = words[index] === 'the' ? index + 1 : index;
  const day = smallNumberAt(words, at);
  if (!day || !day.isOrdinal || day.value < 1 || day.value > 31) return null;
  const end = at + day.length;
  const isSure =
    words[index - 1] !== 'a' && !COUNTED.test(words[end] ?? '') && !standsAt(words, end, ['of', 'all']);
  return { day: day.value, length: end - index, isSure };
}
