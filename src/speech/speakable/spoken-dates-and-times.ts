import { MONTHS } from '#language/months.js';
import type { SpokenRule } from './spoken-rule.js';

/** Order of month and day in a date where both figures could be the month; `open`: unknown. */
export type DateOrder = 'month_first' | 'day_first' | 'open';

const MONTH_FIRST = /^en-(?:us|ph)$/;
const DAY_FIRST = /^en-(?:gb|ie|au|nz|in|za|sg|hk)$/;

/** The date order of a language (BCP 47). Canadians write both orders, and plain "en" names no country. */
export function dateOrderOf(language: string): DateOrder {
  const tag = language.toLowerCase();
  return MONTH_FIRST.test(tag) ? 'month_first' : DAY_FIRST.test(tag) ? 'day_first' : 'open';
}

/**
 * Rules of `speakableText` for English dates, in data formats and as people write them. Times of day
 * are handled by {@link HOUR_RULES}, which are applied later.
 */
export const dayRules = (order: DateOrder): readonly SpokenRule[] => [
  // "2026-03-04T09:30" is "2026-03-04 at 09:30"; the next rule reads the day.
  {
    written: /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:[.,]\d+)?)?(?:(Z)|[+-]\d\d:?\d\d)?(?![\w:])/g,
    // A time with an offset is local time and is read as it is; a time with Z is rarely local, so "UTC" is said.
    said: (_all, day, time, isUtc) => `${day} at ${time}${isUtc ? ' U T C' : ''}`,
  },
  // "2026-03-04" is "March 4th, 2026".
  {
    written: /\b(\d{4})-(\d\d)-(\d\d)\b/g,
    said: (written, year, month, day) => sayDay(Number(month), Number(day), year) ?? written,
  },
  // "12/25/2026" is "December 25th, 2026"; an ambiguous or impossible date is read as figures.
  {
    written: /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d)(?![\d/])/g,
    said: (_all, first, second, year) =>
      sayDate(Number(first), Number(second), order, year) ?? `${Number(first)} - ${Number(second)} - ${year}`,
  },
  // Without a year the figures may be a fraction or a score, so a word such as "by" must precede them.
  {
    written: /\b(on|by|until|till?|before|after|since)\s(\d{1,2})\/(\d{1,2})(?![\d/]|\s?of\b)/gi,
    said: (written, lead, first, second) => {
      const day = sayDate(Number(first), Number(second), order);
      return day === null ? written : `${lead} ${day}`;
    },
  },
  // With full stops, the day comes first everywhere.
  {
    written: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d|\.\d)/g,
    said: (written, day, month, year) => sayDay(Number(month), Number(day), year) ?? written,
  },
  // "Mar. 4" is "March 4".
  {
    written: /\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?(?=\s\d)/g,
    said: (_all, short) => MONTHS.find((month) => month.startsWith(short.slice(0, 3)))!,
  },
];

/** "March 4th, 2026"; null if there is no such day. */
function sayDay(month: number, day: number, year?: string): string | null {
  const name = MONTHS[month - 1];
  if (!name || day < 1 || day > 31) return null;
  const yearPart = year === undefined ? '' : `, ${year.length === 2 ? `20${year}` : year}`;
  return `${name} ${day}${ordinalEnding(day)}${yearPart}`;
}

/**
 * A date in two figures: "12/25" is "December 25th". Null if both figures could be the month and the order is open, or
 * if there is no such day.
 */
function sayDate(first: number, second: number, order: DateOrder, year?: string): string | null {
  const couldBeEither = first <= 12 && second <= 12 && first !== second;
  // Only the smaller figure can be the month.
  if (!couldBeEither) return sayDay(Math.min(first, second), Math.max(first, second), year);
  if (order === 'open') return null;
  return order === 'month_first' ? sayDay(first, second, year) : sayDay(second, first, year);
}

/** "st", "nd", "rd" or "th": 1st, 2nd, 3rd, 4th, 11th. */
function ordinalEnding(day: number): string {
  const last = day % 10;
  if (Math.floor(day / 10) === 1 || last === 0 || last > 3) return 'th';
  return ['st', 'nd', 'rd'][last - 1]!;
}

/**
 * Rules of `speakableText` for English times of day, in the 12-hour form with "A M" or "P M". The synthesiser reads
 * "10:30" well by itself.
 */
export const HOUR_RULES: readonly SpokenRule[] = [
  { written: /\b(?:00|24):00\b(?!:)/g, said: 'midnight' },
  // "00:15" is "12:15 A M", "15:30" is "3:30 P M".
  { written: /\b00:([0-5]\d)\b(?!:)/g, said: '12:$1 A M' },
  {
    written: /\b(1[3-9]|2[0-3]):([0-5]\d)\b/g,
    said: (_all, hour, minute) => `${Number(hour) - 12}:${minute} P M`,
  },
  // "9:00" is "9 o'clock", unless "am" or "pm" follows.
  { written: /\b0?(\d|1[0-2]):00\b(?!\s*[ap]\.?\s?m)/gi, said: "$1 o'clock" },
  // "07:45" is "7:45".
  { written: /\b0(\d):(?=[0-5]\d\b)/g, said: '$1:' },
  {
    written: /\b(\d{1,2})(:\d\d)?\s?([ap])\.?m\b\.?/gi,
    said: (_all, hour, minute, amOrPm) => sayTwelveHour(hour, minute, amOrPm),
  },
];

/** "3pm" is "3 P M", "10:30 a.m." is "10:30 A M". */
function sayTwelveHour(hour: string, minute: string | undefined, amOrPm: string): string {
  return `${hour}${minute && minute !== ':00' ? minute : ''} ${amOrPm.toUpperCase()} M`;
}
