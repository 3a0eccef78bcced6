import type { DateTime } from 'luxon';
import { smallNumberAt } from '#language/numbers/number-words.js';

/*
 * The parts that the readers of days share: their type, and the words for weekdays, months and days of a month. The
 * reader of times of day (`clock-times.ts`) uses the months, too.
 */

/** The reference days of an utterance. */
export interface DayContext {
  /** Midnight in the caller's zone. */
  today: DateTime;
  /** A day mentioned before: "the sixth" is in its month, "the day after" follows it. */
  near: DateTime | null;
}

/** A day found among words. */
export interface DayHit {
  /**
   * The days that the words may mean, the likeliest first; empty if they name a day without saying which ("every
   * Monday").
   */
  days: readonly DateTime[];
  /** The number of words that name the day. */
  length: number;
}

/** Finds a day whose name begins at the word `index`; null if none begins there. */
export type DayReader = (words: readonly string[], index: number, context: DayContext) => DayHit | null;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Short names of weekdays; "wed", "sat" and "sun" are words of their own. */
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

/** The number of a weekday, from 1 (Monday) to 7; 0 for other words. */
export function weekdayOf(word: string | undefined): number {
  if (word === undefined) return 0;
  return WEEKDAYS.indexOf(word.replace(/'?s$/, '')) + 1 || (SHORT_WEEKDAYS.get(word) ?? 0);
}

/** The number of a month, from 1 to 12; 0 for other words. */
export function monthOf(word: string | undefined): number {
  if (word === undefined) return 0;
  const long = MONTHS.indexOf(word) + 1;
  return long > 0 ? long : word === 'sept' ? 9 : SHORT_MONTHS.indexOf(word) + 1;
}

/** True if the phrase begins at the word `index`. */
export function phraseStartsAt(words: readonly string[], index: number, phrase: readonly string[]): boolean {
  return phrase.every((word, offset) => words[index + offset] === word);
}

/** Words that make an ordinal before them a count, not a day of the month: "the first one", "second choice". */
const COUNTED =
  /^(?:ones?|times?|things?|choice|option|half|floor|weeks?|months?|available|possible|free|days?|slot|appointment|opening|thoughts?|person|class|call|name|quarter)$/;

/**
 * An ordinal from 1st to 31st at the word `index`, with or without "the"; else null. `isSure` is false if the
 * ordinal may mean no day: "the first one", "a third", "first of all".
 */
export function dayOfMonthAt(words: readonly string[], index: number) {
  const at = words[index] === 'the' ? index + 1 : index;
  const day = smallNumberAt(words, at);
  if (!day || !day.isOrdinal || day.value < 1 || day.value > 31) return null;
  const end = at + day.length;
  const isSure =
    words[index - 1] !== 'a' && !COUNTED.test(words[end] ?? '') && !phraseStartsAt(words, end, ['of', 'all']);
  return { day: day.value, length: end - index, isSure };
}
