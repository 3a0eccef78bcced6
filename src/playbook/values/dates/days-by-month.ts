import type { DateTime } from 'luxon';
import {
  dayOfMonthAt,
  monthOf,
  phraseStartsAt,
  weekdayOf,
  type DayHit,
  type DayReader,
} from './day-words.js';
import { shortYearAt, smallNumberAt, yearAt } from '#language/numbers/number-words.js';

/** Verbs after which "may" is no month: "the third may work". */
const MAY_VERBS = /^(?:be|do|fit|suit|work|still|also|well|not)$/;

/** Reads a day with the name of its month: "November twenty fourth", "the 24th of November 2026". */
export const byMonth: DayReader = (words, index, { today }) => {
  const month = monthOf(words[index]);
  if (month > 0) {
    const lead = phraseStartsAt(words, index + 1, ['on', 'the']) ? 2 : words[index + 1] === 'the' ? 1 : 0;
    const at = index + 1 + lead;
    const day = smallNumberAt(words, at);
    if (!day || day.value < 1 || day.value > 31) return null;
    const date = { index, end: at + day.length, month, day: day.value };
    // "May twenty ten" may be the 20th of May or May 2010: the day stays open.
    const asYear = day.isOrdinal ? null : yearAt(words, at);
    if (asYear && !yearAt(words, date.end)) return { days: [], length: 1 + lead + asYear.length };
    return withYear(words, date, today);
  }
  const at = words[index] === 'the' ? index + 1 : index;
  const day = smallNumberAt(words, at);
  if (!day || day.value < 1 || day.value > 31) return null;
  const monthAt = words[at + day.length] === 'of' ? at + day.length + 1 : at + day.length;
  const monthAfterDay = monthOf(words[monthAt]);
  if (monthAfterDay === 0 || (words[monthAt] === 'may' && MAY_VERBS.test(words[monthAt + 1] ?? '')))
    return null;
  // "Three or four March": the day stays open.
  const isOneOfTwo = !day.isOrdinal && words[at - 1] === 'or';
  if (isOneOfTwo) return { days: [], length: monthAt + 1 - index };
  return withYear(words, { index, end: monthAt + 1, month: monthAfterDay, day: day.value }, today);
};

/**
 * A day of a named month, in the year that follows its name. Without a year: this year, else next year, else last year.
 * @param date the day; `index` is its first word, `end` the word after its name
 */
export function withYear(
  words: readonly string[],
  date: { index: number; end: number; month: number; day: number },
  today: DateTime,
): DayHit {
  const year = yearAt(words, date.end);
  const short = year ? null : shortYearAt(words, date.end);
  const years = year
    ? [year.value]
    : short
      ? [1900 + short.value, 2000 + short.value]
      : [today.year, today.year + 1, today.year - 1];
  // A 31st in a shorter month would roll over into the next month.
  const days = years
    .map((value) => today.set({ year: value, month: date.month, day: 1 }).set({ day: date.day }))
    .filter((day) => day.month === date.month && day.day === date.day);
  const end = date.end + (year?.length ?? short?.length ?? 0);
  return { days, length: end - date.index };
}

/** Reads a date in figures, which `spokenWords` has split: "2026-11-24", "11/24/2026", "24.11.2026". */
export const byFigures: DayReader = (words, index, { today }) => {
  const parts = [0, 1, 2].map((offset) => words[index + offset] ?? '');
  if (!parts.every((part) => /^\d+$/.test(part))) return null;
  const [first, second, third] = parts.map(Number) as [number, number, number];
  // Year, month and day in the orders that are possible, the likelier first: the first real date counts.
  const candidates =
    parts[0]!.length === 4
      ? [[first, second, third]]
      : [
          [third, first, second],
          [third, second, first],
        ];
  if (parts[0]!.length !== 4 && parts[2]!.length !== 4) return null;
  const days = candidates
    .filter(([, month]) => month! >= 1 && month! <= 12)
    .map(([year, month, day]) => ({
      at: today.set({ year: year!, month: month!, day: 1 }).set({ day: day! }),
      day,
    }))
    .filter(({ at, day }) => at.day === day)
    .map(({ at }) => at);
  return { days: days.slice(0, 1), length: 3 };
};

/**
 * Reads a day without the name of its month: "the twenty fourth", "the third of next month". Without "next month" the
 * candidates are, in this order, the month of `near`, this month, the next two and the last two.
 */
export const byDayOfMonth: DayReader = (words, index, { today, near }) => {
  const lead = monthPhraseAt(words, index);
  const dayAt = lead ? index + lead.length + (words[index + lead.length] === 'on' ? 1 : 0) : index;
  const named = dayOfMonthAt(words, dayAt);
  if (!named?.isSure) return null;
  const end = dayAt + named.length;
  const trail = lead ? null : monthPhraseAt(words, words[end] === 'of' ? end + 1 : end);
  const monthPhrase = lead ?? trail;
  const length = (trail ? end + (words[end] === 'of' ? 1 : 0) + trail.length : end) - index;
  const base = today.set({ day: 1 });
  const months = monthPhrase
    ? [base.plus({ months: monthPhrase.ahead })]
    : [
        ...(near ? [near.set({ day: 1 })] : []),
        ...[0, 1, 2, -1, -2].map((ahead) => base.plus({ months: ahead })),
      ];
  const days = months.map((month) => month.set({ day: named.day })).filter((day) => day.day === named.day);
  // "The twenty fourth, a Tuesday": the weekday selects the month. "The second Tuesday" rarely means the 2nd.
  const weekdayAt = words[index + length] === 'a' ? index + length + 1 : index + length;
  const weekday = weekdayOf(words[weekdayAt]);
  if (weekday === 0) return { days, length };
  return { days: days.filter((day) => day.weekday === weekday), length: weekdayAt + 1 - index };
};

/** "This month", "next month", "last month", as a number of months from now; else null. */
function monthPhraseAt(words: readonly string[], index: number) {
  if (words[index + 1] !== 'month') return null;
  const ahead = { this: 0, next: 1, last: -1 }[words[index] as 'this' | 'next' | 'last'];
  return typeof ahead === 'number' ? { ahead, length: 2 } : null;
}

/** "Of the month" means the present month, or the next or last one if its day does not fit. */
const THE_MONTH = [0, 1, -1];

/** Reads a counted weekday of a month: "the first Monday in December", "the last Friday of next month". */
export const byNthWeekday: DayReader = (words, index, { today }) => {
  const at = words[index] === 'the' ? index + 1 : index;
  // 0 is the last one, -1 no number.
  const nth = words[at] === 'last' ? 0 : (smallNumberAt(words, at)?.value ?? -1);
  const isOrdinal = nth === 0 || smallNumberAt(words, at)?.isOrdinal === true;
  const weekday = weekdayOf(words[at + 1]);
  const isIn = words[at + 2] === 'of' || words[at + 2] === 'in';
  if (!isOrdinal || nth > 5 || weekday === 0 || !isIn) return null;
  const month = monthOf(words[at + 3]);
  const phrase = monthPhraseAt(words, at + 3);
  const ahead = phrase ? [phrase.ahead] : phraseStartsAt(words, at + 3, ['the', 'month']) ? THE_MONTH : null;
  if (!ahead && month === 0) return null;
  const firstDays = ahead
    ? ahead.map((months) => today.set({ day: 1 }).plus({ months }))
    : [0, 1].map((years) => today.set({ year: today.year + years, month, day: 1 }));
  const days = firstDays.map((first) => nthOf(first, weekday, nth)).filter((day) => day !== null);
  return { days, length: at + (ahead ? 5 : 4) - index };
};

/**
 * The nth such weekday of a month; null if the month has fewer.
 * @param first the first day of the month
 * @param nth from 1; 0 for the last one
 */
function nthOf(first: DateTime, weekday: number, nth: number): DateTime | null {
  if (nth === 0) {
    const last = first.plus({ months: 1 }).minus({ days: 1 });
    return last.minus({ days: (last.weekday - weekday + 7) % 7 });
  }
  const day = first.plus({ days: ((weekday - first.weekday + 7) % 7) + (nth - 1) * 7 });
  return day.month === first.month ? day : null;
}
