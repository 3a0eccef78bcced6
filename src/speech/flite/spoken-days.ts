import { MONTHS } from '../language/months.js';
import type { SpokenRule } from './spoken-rule.js';

/** Days and moments, as data has them and as people write them. Hours are said by later rules. */
export const DAY_RULES: readonly SpokenRule[] = [
  {
    written: /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:[.,]\d+)?)?(?:(Z)|[+-]\d\d:?\d\d)?(?![\w:])/g,
    // With an offset, it is the time of day where that holds; with a Z, hardly anywhere.
    said: (_all, day, time, isUtc) => `${day} at ${time}${isUtc ? ' U T C' : ''}`,
  },
  {
    written: /\b(\d{4})-(\d\d)-(\d\d)\b/g,
    said: (written, year, month, day) => sayDay(Number(year), Number(month), Number(day)) ?? written,
  },
  {
    written: /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g,
    said: (_all, first, second, year) => sayFigures(Number(first), Number(second), Number(year)),
  },
  {
    written: /\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?(?=\s\d)/g,
    said: (_all, short) => MONTHS.find((month) => month.startsWith(short.slice(0, 3)))!,
  },
];

function sayDay(year: number, month: number, day: number): string | null {
  const name = MONTHS[month - 1];
  if (!name || day < 1 || day > 31) return null;
  return `${name} ${day}${ordinalEnding(day)}, ${year}`;
}

/** "12/25/2026"; which of two figures is the month is left to the listener, where both could be. */
function sayFigures(first: number, second: number, year: number): string {
  const isEither = first <= 12 && second <= 12 && first !== second;
  const day = isEither ? null : sayDay(year, Math.min(first, second), Math.max(first, second));
  return day ?? `${first} - ${second} - ${year}`;
}

function ordinalEnding(day: number): string {
  const last = day % 10;
  if (Math.floor(day / 10) === 1 || last === 0 || last > 3) return 'th';
  return ['st', 'nd', 'rd'][last - 1]!;
}
