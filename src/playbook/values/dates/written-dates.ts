import { MONTHS } from '#language/months.js';

/** Which figure of "11/12" is the month, if both could be. */
export type DateOrder = 'month_first' | 'day_first';

/** Dates in figures with slashes: "11/24", "3/4/80", "11/24/2026". */
const WRITTEN = /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/])/g;

/**
 * Replaces dates that recognisers print in figures ("11/24", "3/4/80") by words ("November 24", "March 4 80"), which
 * `readDate` understands. Other figures stay.
 */
export function datesInWords(text: string, order: DateOrder): string {
  return text.replace(WRITTEN, (written, left: string, right: string, year: string | undefined) => {
    const [first, second] = [Number(left), Number(right)];
    const isMonthFirst = second > 12 || (order === 'month_first' && first <= 12);
    const [month, day] = isMonthFirst ? [first, second] : [second, first];
    const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    return isDate ? `${MONTHS[month - 1]} ${day}${year === undefined ? '' : ` ${year}`}` : written;
  });
}
