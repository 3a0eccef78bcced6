import { MONTHS } from '#language/months.js';

/** Which figure is the month if both could be. */
export type DateOrder = 'month_first' | 'day_first';

const WRITTEN = /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/])/g;

/**
 * Writes "11/24" and "3/4/80", as recognisers print dates, in words: "November 24", "March 4 80". Leaves other
 * figures unchanged.
 */
export function datesInWords(text: string, order: DateOrder): string {
  return text.replace(WRITTEN, (written, one: string, other: string, year: string | undefined) => {
    const [first, second] = [Number(one), Number(other)];
    const isMonthFirst = second > 12 || (order === 'month_first' && first <= 12);
    const [month, day] = isMonthFirst ? [first, second] : [second, first];
    const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    return isDate ? `${MONTHS[month - 1]} ${day}${year === undefined ? '' : ` ${year}`}` : written;
  });
}
