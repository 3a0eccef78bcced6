import type { DateTime } from 'luxon';
import type { DayContext, DayReader } from './day-words.js';
import { byHoliday } from './days-by-holiday.js';
import { byDayOfMonth, byFigures, byMonth, byNthWeekday } from './days-by-month.js';
import { byWeekday } from './days-by-week.js';
import { byDistance, byNeighbour, byOffset } from './days-from-today.js';
import { meantOf } from '#language/mentions.js';
import type { Place } from '#language/ruled-out.js';

/** A named day, as the days it may mean, in order of likelihood. */
export type DayMention = Place & { days: readonly DateTime[] };

/** The first reader that finds a day at a word wins. */
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

/** The days named in an utterance, from left to right. */
export function dayMentions(words: readonly string[], { today, near }: DayContext): DayMention[] {
  const found: DayMention[] = [];
  for (let index = 0; index < words.length; index += 1) {
    // "The fifth of January, no, the sixth": the sixth is in January, too.
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

/** The days meant by an utterance, the likeliest first; null if there are none or it stays open which. */
export function daysMeant(
  words: readonly string[],
  mentions: readonly DayMention[],
): readonly DateTime[] | null {
  return meantOf(words, mentions, sameDays);
}

/** The days that all mentions have in common: "today, Tuesday" is one day named twice. */
function sameDays(mentions: readonly DayMention[]): readonly DateTime[] | null {
  const common = mentions
    .map(({ days }) => days)
    .reduce((one, other) => one.filter((day) => other.some((same) => same.hasSame(day, 'day'))));
  return common.length === 0 ? null : common;
}
