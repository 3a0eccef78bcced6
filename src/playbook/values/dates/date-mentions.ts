import type { DateTime } from 'luxon';
import type { DayContext, DayReader } from './day-words.js';
import { byHoliday } from './days-by-holiday.js';
import { byDayOfMonth, byFigures, byMonth, byNthWeekday } from './days-by-month.js';
import { byWeekday } from './days-by-week.js';
import { byDistance, byNeighbour, byOffset } from './days-from-today.js';
import { resolveMentions } from '#language/mentions.js';
import type { WordSpan } from '#language/ruled-out.js';

/**
 * A day named in an utterance. `days` are the days that the words may mean, the likeliest first; empty if the words
 * name a day, but not which.
 */
export type DayMention = WordSpan & { days: readonly DateTime[] };

/** The readers in order: at each word, the first reader that finds a day decides. */
const READERS: readonly DayReader[] = [
  // "tomorrow"; "in two weeks"; "the day after".
  byOffset,
  byDistance,
  byNeighbour,
  // "the first Monday in May"; "Easter Monday"; "next Tuesday".
  byNthWeekday,
  byHoliday,
  byWeekday,
  // "May the fifth"; "2026-05-05"; "the fifth".
  byMonth,
  byFigures,
  byDayOfMonth,
];

/**
 * The days named in an English utterance, from left to right. Used by the readers of dates, of call-back times and of
 * retractions.
 * @param words the words of the utterance, as `spokenWords` returns them
 * @param context.today midnight in the caller's zone
 * @param context.near the reference day of the first mention, from earlier in the call; null if there is none
 */
export function dayMentions(words: readonly string[], { today, near }: DayContext): DayMention[] {
  const found: DayMention[] = [];
  for (let index = 0; index < words.length; index += 1) {
    // "The fifth of January, no, the sixth": the previous mention is the reference day for the next. If it may mean
    // several days, the likeliest day that is not past counts, or the likeliest of all if all are past.
    const previousDays = found.at(-1)?.days ?? [];
    const previousDay = previousDays.find((day) => day >= today) ?? previousDays[0];
    const context = { today, near: previousDay ?? near };
    const hit = firstHit(words, index, context);
    if (!hit) continue;
    const days = hit.days.filter((day) => day.isValid);
    found.push({ days, start: index, end: index + hit.length });
    index += hit.length - 1;
  }
  return found;
}

/** The day named by the words from `index` on, by the first reader that finds a day there; null if none does. */
function firstHit(words: readonly string[], index: number, context: DayContext) {
  for (const read of READERS) {
    const hit = read(words, index, context);
    if (hit) return hit;
  }
  return null;
}

/**
 * The days that an utterance may mean after corrections and denials ("not Monday", "Tuesday, no, Wednesday"). Null if
 * no day remains, if the remaining mentions disagree, or if the day is only a bound ("after Monday").
 */
export function daysMeant(
  words: readonly string[],
  mentions: readonly DayMention[],
): readonly DateTime[] | null {
  return resolveMentions(words, mentions, sameDays);
}

/** The days that all mentions have in common: "today, Tuesday" is one day named twice. */
function sameDays(mentions: readonly DayMention[]): readonly DateTime[] | null {
  const common = mentions
    .map(({ days }) => days)
    .reduce((shared, days) => shared.filter((day) => days.some((other) => other.hasSame(day, 'day'))));
  return common.length === 0 ? null : common;
}
