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
  const possible = mentioned.days.filter((day) => isWithin(day, range));
  if (possible.length === 0) return NOT_POSSIBLE;
  // Of several the nearest: the first to come, or the last that was.
  return possible.reduce((best, day) => (distance(day, today) < distance(best, today) ? day : best));
}

function isWithin(day: DateTime, { earliest, latest }: DayRange): boolean {
  return (earliest === null || day >= earliest) && (latest === null || day <= latest);
}

function distance(day: DateTime, today: DateTime): number {
  return Math.abs(day.toMillis() - today.toMillis());
}
