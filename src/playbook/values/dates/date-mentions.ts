import type { DateTime } from 'luxon';
import type { DayContext, DayReader } from './day-words.js';
import { byHoliday } from './days-by-holiday.js';
import { byDayOfMonth, byFigures, byMonth, byNthWeekday } from './days-by-month.js';
import { byWeekday } from './days-by-week.js';
import { byDistance, byNeighbour, byOffset } from './days-from-today.js';
import { meantOf } from '#language/mentions.js';
import type { Place } from '#language/ruled-out.js';

/** A day that was named, as the days it may be; in order of likelihood where "Tuesday" leaves it open. */
export type DayMention = Place & { days: readonly DateTime[] };

/** The first that finds a day at a word is right. */
const READERS: readonly DayReader[] = [
  byOffset,
  byDistance,
  byNeighbour,
  byNthWeekday,
  byHoliday,
  byWeekday,
  byMonth,
  byFigures,
  byDayOfMonth,
];

/** The days that an utterance names, from left to right. */
export function dayMentions(words: readonly string[], { today, near }: DayContext): DayMention[] {
  const found: DayMention[] = [];
  for (let index = 0; index < words.length; index += 1) {
    // "The fifth of January, no, the sixth": of January, too.
    const before = found.at(-1)?.days ?? [];
    const context = { today, near: before.find((day) => day >= today) ?? before[0] ?? near };
    const hit = firstHit(words, index, context);
    if (!hit) continue;
    const days = hit.days.filter((day) => day.isValid);
    found.push({ days, start: index, end: index + hit.length });
    index += hit.length - 1;
  }
  return found;
}

function firstHit(words: readonly string[], index: number, context: DayContext) {
  for (const read of READERS) {
    const hit = read(words, index, context);
    if (hit) return hit;
  }
  return null;
}

/** The days that are meant, the likeliest first; null when none is, or when it stays open which. */
export function daysMeant(
  words: readonly string[],
  mentions: readonly DayMention[],
): readonly DateTime[] | null {
  return meantOf(words, mentions, sameDays);
}

/** The days that all of some mentions may be: "today, Tuesday" is one day named twice. */
function sameDays(mentions: readonly DayMention[]): readonly DateTime[] | null {
  const common = mentions
    .map(({ days }) => days)
    .reduce((one, other) => one.filter((day) => other.some((same) => same.hasSame(day, 'day'))));
  return common.length === 0 ? null : common;
}
