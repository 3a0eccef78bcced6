import type { DateTime } from 'luxon';
import { yearAt } from '#language/numbers/number-words.js';
import { phraseStartsAt, type DayHit, type DayReader } from './day-words.js';
import { withYear } from './days-by-month.js';
import { MOVABLE_FEASTS } from './movable-feasts.js';

/** Holidays with a fixed date: the words of the name, the month and the day. */
const HOLIDAYS: readonly (readonly [readonly string[], number, number])[] = [
  [['christmas', 'eve'], 12, 24],
  [['christmas', 'day'], 12, 25],
  [['christmas'], 12, 25],
  [['boxing', 'day'], 12, 26],
  [['new', "year's", 'eve'], 12, 31],
  [['new', 'years', 'eve'], 12, 31],
  [['new', "year's", 'day'], 1, 1],
  [['new', 'years', 'day'], 1, 1],
];

/**
 * The days of a feast without a fixed date, the likeliest first: "Easter Monday", "Thanksgiving 2027". Without a year,
 * the feasts of this, the next and the last year are possible. No days for a feast that names a longer time ("Easter
 * week").
 */
function movableFeastAt(words: readonly string[], index: number, today: DateTime): DayHit | null {
  const feast = MOVABLE_FEASTS.find(({ phrase }) => phraseStartsAt(words, index, phrase));
  if (!feast) return null;
  // "That sounds good, Friday works" is not Good Friday.
  if (
    words[index] === 'good' &&
    /^(?:sounds?|looks?|is|are|be|very|so|all|pretty|really)$/.test(words[index - 1] ?? '')
  )
    return null;
  const end = index + feast.phrase.length;
  // "Easter week", "the Thanksgiving weekend": several days, so it stays open which of them is meant.
  if (/^(?:week|weekend|break|holidays?|vacation|time|eve)$/.test(words[end] ?? ''))
    return { days: [], length: end + 1 - index };
  const year = yearAt(words, end);
  // The first of the month, because 29 February does not exist in other years.
  const base = today.set({ day: 1 });
  const years = year ? [year.value] : [today.year, today.year + 1, today.year - 1];
  const days = years.map((value) => feast.inYearOf(base.set({ year: value })));
  // If this year's has passed, next year's is likeliest.
  if (!year && days[0]! < today) days.unshift(days.splice(1, 1)[0]!);
  return { days, length: end + (year?.length ?? 0) - index };
}

/** Reads the name of a holiday: "Christmas Eve", "Easter Monday". */
export const byHoliday: DayReader = (words, index, { today }) => {
  const movable = movableFeastAt(words, index, today);
  if (movable) return movable;
  const found = HOLIDAYS.find(([phrase]) => phraseStartsAt(words, index, phrase));
  if (!found) return null;
  const [phrase, month, day] = found;
  return withYear(words, { index, end: index + phrase.length, month, day }, today);
};
