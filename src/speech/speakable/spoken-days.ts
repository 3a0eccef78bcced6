import { MONTHS } from '#language/months.js';
import type { SpokenRule } from './spoken-rule.js';

/** Which of two figures is the month where both could be; `open`: nobody can tell. */
export type DateOrder = 'month_first' | 'day_first' | 'open';

const MONTH_FIRST = /^en-(?:us|ph)$/;
const DAY_FIRST = /^en-(?:gb|ie|au|nz|in|za|sg|hk)$/;

/** How those who speak a language (BCP 47) write dates. Canadians write both, and plain "en" may be anybody's. */
export function dateOrderOf(language: string): DateOrder {
  const tag = language.toLowerCase();
  return MONTH_FIRST.test(tag) ? 'month_first' : DAY_FIRST.test(tag) ? 'day_first' : 'open';
}

/** Days and moments, as data has them and as people write them. Hours are said by later rules. */
export const dayRules = (order: DateOrder): readonly SpokenRule[] => [
  {
    written: /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:[.,]\d+)?)?(?:(Z)|[+-]\d\d:?\d\d)?(?![\w:])/g,
    // With an offset, it is the time of day where that holds; with a Z, hardly anywhere.
    said: (_all, day, time, isUtc) => `${day} at ${time}${isUtc ? ' U T C' : ''}`,
  },
  {
    written: /\b(\d{4})-(\d\d)-(\d\d)\b/g,
    said: (written, year, month, day) => sayDay(Number(month), Number(day), year) ?? written,
  },
  {
    written: /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d)(?![\d/])/g,
    said: (_all, first, second, year) =>
      sayFigures(Number(first), Number(second), order, year) ??
      `${Number(first)} - ${Number(second)} - ${year}`,
  },
  // Without a year it may be a fraction or a score, too.
  {
    written: /\b(on|by|until|till?|before|after|since)\s(\d{1,2})\/(\d{1,2})(?![\d/]|\s?of\b)/gi,
    said: (written, lead, first, second) => {
      const day = sayFigures(Number(first), Number(second), order);
      return day === null ? written : `${lead} ${day}`;
    },
  },
  // With full stops, the day is the first of them everywhere.
  {
    written: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d|\.\d)/g,
    said: (written, day, month, year) => sayDay(Number(month), Number(day), year) ?? written,
  },
  {
    written: /\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?(?=\s\d)/g,
    said: (_all, short) => MONTHS.find((month) => month.startsWith(short.slice(0, 3)))!,
  },
];

function sayDay(month: number, day: number, year?: string): string | null {
  const name = MONTHS[month - 1];
  if (!name || day < 1 || day > 31) return null;
  const behind = year === undefined ? '' : `, ${year.length === 2 ? `20${year}` : year}`;
  return `${name} ${day}${ordinalEnding(day)}${behind}`;
}

/** "12/25", "12/25/2026"; null where both figures could be the month, and nothing says which is. */
function sayFigures(first: number, second: number, order: DateOrder, year?: string): string | null {
  const isEither = first <= 12 && second <= 12 && first !== second;
  if (!isEither) return sayDay(Math.min(first, second), Math.max(first, second), year);
  if (order === 'open') return null;
  return order === 'month_first' ? sayDay(first, second, year) : sayDay(second, first, year);
}

function ordinalEnding(day: number): string {
  const last = day % 10;
  if (Math.floor(day / 10) === 1 || last === 0 || last > 3) return 'th';
  return ['st', 'nd', 'rd'][last - 1]!;
}
