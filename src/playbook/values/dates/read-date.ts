import type { DateTime } from 'luxon';
import { dayMentions, daysMeant } from './date-mentions.js';
import { isUnrelatedTime } from '#playbook/answers/unrelated-times.js';
import { lastCorrection } from '#language/mentions.js';
import { MONTHS } from '#language/months.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { spokenWords } from '#language/spoken-words.js';

/** The first and last accepted day, inclusive; null means no limit. */
export interface DayRange {
  earliest: DateTime | null;
  latest: DateTime | null;
}

/** Which figure of "11/12" is the month, if both could be. */
type DateOrder = 'month_first' | 'day_first';

/** The context in which `readDate` reads an utterance. */
export interface DateReading {
  /** Midnight of the day in the caller's zone. */
  today: DateTime;
  range: DayRange;
  /** The answer that the caller changes: the reference day for "the sixth" and "a day later". */
  near?: DateTime | null;
  /** The order of day and month in "11/12"; default month first. */
  order?: DateOrder;
  /** The text of the question: "I called on Monday" is no answer to "Which day suits you?". */
  asked?: string | null | undefined;
}

/** Statements about today, which is no answer: "today is Saturday, isn't it?", "today's Saturday, so Wednesday". */
const TODAY_IS = /(?<![^ ])(?:today is|is today) (?:a )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?= |$)/g;
/** Questions of the caller about the calendar, which name no wish: "what day is the third?" */
const CALENDAR =
  /(?:^| )(?:what|which) day (?:is|will) (?!free|good|best|better|that)|^is the [^ ]+(?: [^ ]+)? an? [^ ]+day$|^(?:and |so )?is (?:that|it|this)(?: the| an?)? [^ ]+day$/;

/**
 * Reads the answer to a question for a date, in English. The range decides which day "Tuesday" or "the third" means.
 * @returns midnight of the day; {@link NOT_POSSIBLE} for a day outside the range; null if no day was named, or
 *   several that differ
 */
export function readDate(
  text: string,
  { today, range, near = null, order = 'month_first', asked = null }: DateReading,
): DateTime | typeof NOT_POSSIBLE | null {
  const said = spokenWords(datesInWords(text, order)).join(' ').replace(TODAY_IS, '').trim();
  const words = said.split(' ');
  if (CALENDAR.test(said)) return null;
  const mentions = dayMentions(words, { today, near }).filter(
    (_mention, index, all) => !isUnrelatedTime(words, all, index, asked),
  );
  const isPossible = (day: DateTime) => isWithin(day, range);
  const possible = mentions.filter(({ days }) => days.some(isPossible));
  // "I was there yesterday, Monday is fine": a day that the question does not accept is no answer.
  const isOneAnswer = possible.length === 1 && lastCorrection(words, mentions) < 0;
  const days = daysMeant(words, mentions) ?? (isOneAnswer ? daysMeant(words, possible) : null);
  if (days === null) return null;
  // The days are in order of likelihood: "Tuesday" is the next one if the question accepts it.
  return days.find(isPossible) ?? NOT_POSSIBLE;
}

/** Dates in figures with slashes: "11/24", "3/4/80", "11/24/2026". */
const WRITTEN = /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/])/g;

/**
 * Replaces dates that recognisers print in figures ("11/24", "3/4/80") by words ("November 24", "March 4 80"). Other
 * figures stay.
 */
function datesInWords(text: string, order: DateOrder): string {
  return text.replace(WRITTEN, (written, left: string, right: string, year: string | undefined) => {
    const [first, second] = [Number(left), Number(right)];
    const isMonthFirst = second > 12 || (order === 'month_first' && first <= 12);
    const [month, day] = isMonthFirst ? [first, second] : [second, first];
    const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    return isDate ? `${MONTHS[month - 1]} ${day}${year === undefined ? '' : ` ${year}`}` : written;
  });
}

function isWithin(day: DateTime, { earliest, latest }: DayRange): boolean {
  return (earliest === null || day >= earliest) && (latest === null || day <= latest);
}
