import type { DateTime } from 'luxon';
import {
  dayOfMonthAt,
  phraseStartsAt,
  weekdayOf,
  type DayContext,
  type DayHit,
  type DayReader,
} from './day-words.js';
import { byMonth } from './days-by-month.js';
import { smallNumberAt } from '#language/numbers/number-words.js';

/** The week of a weekday: `calendar` weeks after this one, or `later` weeks after the next such weekday. */
type WeekOffset = { calendar: number } | { later: number };

/** Phrases for a week before the weekday: "next week on Tuesday". */
const LEADING_WEEKS: readonly (readonly [readonly string[], WeekOffset])[] = [
  [['the', 'week', 'after', 'next'], { calendar: 2 }],
  [['week', 'after', 'next'], { calendar: 2 }],
  [['next', 'week'], { calendar: 1 }],
  [['this', 'week'], { calendar: 0 }],
];
/** Phrases for a week after the weekday: "Tuesday week". */
const TRAILING_WEEKS: readonly (readonly [readonly string[], WeekOffset])[] = [
  [['the', 'week', 'after', 'next'], { calendar: 2 }],
  [['of', 'next', 'week'], { calendar: 1 }],
  [['next', 'week'], { calendar: 1 }],
  [['of', 'this', 'week'], { calendar: 0 }],
  [['this', 'week'], { calendar: 0 }],
  [['after', 'next'], { calendar: 2 }],
  [['fortnight'], { later: 2 }],
  [['week'], { later: 1 }],
];
/** Feasts after a weekday, which leave open the date: "the Monday after Easter". */
const UNKNOWN_FEASTS =
  /^(?:after|before) (?:the )?(?:thanksgiving|easter|christmas|new|labor|memorial|holidays?|vacation)\b/;

/** Reads a weekday: "Tuesday", "next Tuesday", "Tuesday week", "next week on Tuesday", "Tuesday the 24th". */
export const byWeekday: DayReader = (words, index, context) => {
  const leading = LEADING_WEEKS.find(([phrase]) => phraseStartsAt(words, index, phrase));
  const qualifier = /^(?:this|next|last|coming)$/.test(words[index] ?? '') ? words[index] : undefined;
  // The index of the weekday itself.
  const from = leading
    ? index + leading[0].length + (words[index + leading[0].length] === 'on' ? 1 : 0)
    : qualifier === undefined
      ? index
      : index + 1 + (qualifier === 'this' && words[index + 1] === 'coming' ? 1 : 0);
  const weekday = weekdayOf(words[from]);
  if (weekday === 0) return null;
  // "Every Monday" names no single day.
  if (/^(?:every|each)$/.test(words[index - 1] ?? '')) return { days: [], length: from + 1 - index };
  // "Two Fridays from now": people count them differently.
  const count = smallNumberAt(words, index - 1);
  if (count && !count.isOrdinal && words[from]!.endsWith('s')) return { days: [], length: from + 1 - index };
  const trailing = leading
    ? undefined
    : TRAILING_WEEKS.find(([phrase]) => phraseStartsAt(words, from + 1, phrase));
  const end = from + 1 + (trailing?.[0].length ?? 0);
  const date = dateAfterWeekday(words, end, context, weekday);
  if (date) return { days: date.days, length: end + date.length - index };
  if (UNKNOWN_FEASTS.test(words.slice(end, end + 3).join(' '))) return { days: [], length: end + 2 - index };
  // "The Monday after", "the Monday after that": after the day mentioned before.
  const following = /^after(?: that)?$/.exec(words.slice(end).join(' '));
  if (following) {
    const days = context.near ? [afterDay(context.near, weekday)] : [];
    return { days, length: words.length - index };
  }
  const week = leading?.[1] ?? trailing?.[1];
  return { days: daysOf(weekday, week ?? qualifier, context), length: end - index };
};

/** The first such weekday after a day. */
function afterDay(day: DateTime, weekday: number): DateTime {
  return day.plus({ days: (weekday - day.weekday + 7) % 7 || 7 });
}

/**
 * The days that a weekday may mean, the likeliest first.
 * @param qualifier the week, or the word before the weekday: "this", "next", "last", "coming"
 */
function daysOf(weekday: number, qualifier: WeekOffset | string | undefined, { today, near }: DayContext) {
  const ahead = (weekday - today.weekday + 7) % 7;
  const coming = today.plus({ days: ahead });
  const inWeek = (weeks: number) => today.startOf('week').plus({ weeks, days: weekday - 1 });
  if (typeof qualifier === 'object')
    return ['calendar' in qualifier ? inWeek(qualifier.calendar) : coming.plus({ weeks: qualifier.later })];
  // "Next Tuesday" is in the next calendar week.
  if (qualifier === 'next') return [inWeek(1)];
  if (qualifier === 'last') return [today.minus({ days: (today.weekday - weekday + 7) % 7 || 7 })];
  if (qualifier === 'this') return [coming];
  // "Tuesday", said on a Tuesday, means the next one: the day itself is called "today".
  const next = ahead === 0 ? today.plus({ weeks: 1 }) : coming;
  const usual = [next, next.minus({ weeks: 1 })];
  // "No, Wednesday", after a day further off, is in that day's week.
  const isFarOff = near !== null && near > today.plus({ weeks: 1 });
  return isFarOff ? [near.startOf('week').plus({ days: weekday - 1 }), ...usual] : usual;
}

/**
 * The date after a weekday: "Tuesday the 24th", "Tuesday, November 24". The hit has no days if weekday and date do not
 * agree; null if no date follows.
 * @param at the word after the weekday
 */
function dateAfterWeekday(
  words: readonly string[],
  at: number,
  context: DayContext,
  weekday: number,
): DayHit | null {
  const from = words[at] === 'on' ? at + 1 : at;
  const date = byMonth(words, from, context) ?? byOrdinal(words, from, context);
  if (!date) return null;
  return { days: date.days.filter((day) => day.weekday === weekday), length: from - at + date.length };
}

/** Reads "the 24th" as that day of this month, the next two and the last two: the weekday selects one of them. */
const byOrdinal: DayReader = (words, index, { today }) => {
  const named = dayOfMonthAt(words, index);
  if (!named?.isSure) return null;
  const months = [0, 1, 2, -1, -2].map((ahead) => today.set({ day: 1 }).plus({ months: ahead }));
  const days = months.map((month) => month.set({ day: named.day })).filter((day) => day.day === named.day);
  return { days, length: named.length };
};
