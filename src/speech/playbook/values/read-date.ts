import type { DateTime } from 'luxon';
import { dayMentions } from './date-mentions.js';
import { meantOf } from './mentions.js';
import { NOT_POSSIBLE } from './not-possible.js';
import { spokenWords } from './spoken-words.js';

/** From which day to which; both count, and either may be open. */
export interface DayRange {
  earliest: DateTime | null;
  latest: DateTime | null;
}

/**
 * Reads a day; what "Tuesday" or "the third" leaves open is settled by the range.
 * @param today midnight of the day in the caller's zone
 * @returns that midnight; {@link NOT_POSSIBLE} for a day outside the range; null when no day was named, or it stays open which
 */
export function readDate(
  text: string,
  today: DateTime,
  range: DayRange,
): DateTime | typeof NOT_POSSIBLE | null {
  const words = spokenWords(text);
  const meant = meantOf(words, dayMentions(words, today));
  if (!meant) return null;
  const mentioned = dayMentions(words, today).find(({ start }) => start === meant.start)!;
  if (mentioned.days.length === 0) return null;
  // The likeliest first: "Tuesday" is the next one where the question takes it.
  return mentioned.days.find((day) => isWithin(day, range)) ?? NOT_POSSIBLE;
}

function isWithin(day: DateTime, { earliest, latest }: DayRange): boolean {
  return (earliest === null || day >= earliest) && (latest === null || day <= latest);
}
