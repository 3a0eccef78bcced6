import type { DateTime } from 'luxon';
import { dayMentions, daysMeant } from '#playbook/values/dates/date-mentions.js';
import { readTime } from './read-time.js';
import { spokenWords } from '#language/spoken-words.js';
import { timeSpanAt } from './time-span.js';

/** The hour that is assumed if the caller names only a part of the day. */
const DAYTIME_HOURS: ReadonlyMap<string, number> = new Map([
  ['morning', 10],
  ['lunchtime', 13],
  ['afternoon', 15],
  ['evening', 18],
  ['tonight', 19],
]);
/** Words before a span of time that make it the time until the call: "in an hour". */
const AHEAD = new Set(['in', 'after', 'within']);
/** Words between "in" and the span: "in about an hour". */
const ROUGHLY = new Set([
  'about',
  'around',
  'roughly',
  'approximately',
  'maybe',
  'say',
  'another',
  'just',
  'over',
  'under',
  'exactly',
]);

/** "Today" or "later today" without a time means this many hours from now. */
export const LATER_TODAY_HOURS = 1;
/**
 * The last minute of the day at which "today at eight" may mean the evening when the morning has passed. Later calls
 * would disturb people.
 */
const EVENING_ENDS = 21 * 60;
/**
 * The same limit if no day is named, which excludes 21:00: "at nine", said in the afternoon, means the next morning.
 */
const OPEN_EVENING_ENDS = EVENING_ENDS - 1;

/**
 * Reads in English when the caller wants to be called: "tomorrow at three", "in half an hour", "on Monday". Null if the
 * caller does not say, or names a day that has passed or stays open. The time is in the future, unless the caller names
 * today and a time that has passed: "today at ten", said at noon. `interpret` and `AnywhereRequests` use it.
 * @param now the present time in the caller's zone
 * @param options.anchored true if a bare number ("three") is no time; false only after a question for a time
 */
export function readCallBackTime(
  text: string,
  now: DateTime,
  { anchored = true }: { anchored?: boolean } = {},
): DateTime | null {
  const words = spokenWords(text);
  const relative = timeAfterSpan(words, now, { mayBeLater: true });
  if (relative) return relative;
  const today = now.startOf('day');
  const mentions = dayMentions(words, { today, near: null });
  const day = daysMeant(words, mentions)?.find((mentioned) => mentioned >= today);
  // The words name a day, but it stays open which, or it has passed.
  if (!day && mentions.length > 0) return null;
  const said = readTime(text, { anchored });
  const minute = typeof said === 'number' ? said : daytimeMinute(words);
  // The same words, read as a time that is still to come today: "at eight" as the evening.
  const laterToday = (latest: number) => {
    const evening = readTime(text, { anchored, range: { earliest: now.hour * 60 + now.minute + 1, latest } });
    return typeof evening === 'number' ? atMinute(today, evening) : null;
  };
  if (!day) {
    if (minute === null) return null;
    const at = atMinute(today, minute);
    return at > now ? at : (laterToday(OPEN_EVENING_ENDS) ?? at.plus({ days: 1 }));
  }
  // A day without a time: the callee can be reached at the time of this call, so that time is used.
  if (minute === null)
    return day > today
      ? day.set({ hour: now.hour, minute: now.minute })
      : now.plus({ hours: LATER_TODAY_HOURS });
  const at = atMinute(day, minute);
  return at > now ? at : (laterToday(EVENING_ENDS) ?? at);
}

/** A day at a minute of the day. */
function atMinute(day: DateTime, minute: number): DateTime {
  return day.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
}

/**
 * The time after a span named in the words: "in twenty minutes", "after an hour", "two hours from now". Null if they
 * name none.
 * @param options.mayBeLater true if "an hour later" counts, too; false if it may refer to a time named before
 */
export function timeAfterSpan(
  words: readonly string[],
  now: DateTime,
  { mayBeLater = false }: { mayBeLater?: boolean } = {},
): DateTime | null {
  const minutes = words
    .map((_word, index) => minutesAway(words, index, mayBeLater))
    .find((found) => found !== null);
  return minutes === undefined || minutes === null ? null : now.plus({ minutes });
}

/** The minutes of a span from now that begins at the word `index` ("in an hour"); null if none does. */
function minutesAway(words: readonly string[], index: number, mayBeLater: boolean): number | null {
  const isAhead = AHEAD.has(words[index]!);
  const roughly = words.slice(index + 1, index + 5).findIndex((word) => !ROUGHLY.has(word));
  const at = isAhead ? index + 1 + Math.max(0, roughly) : index;
  const span = timeSpanAt(words, at);
  if (!span) return null;
  const following = words.slice(at + span.length, at + span.length + 2);
  const isFromNow = following.join(' ') === 'from now' || (mayBeLater && following[0] === 'later');
  return isAhead || isFromNow ? span.minutes : null;
}

/** The minute of the day assumed for the first named part of the day; null without one. */
function daytimeMinute(words: readonly string[]): number | null {
  const hour = words.map((word) => DAYTIME_HOURS.get(word)).find((found) => found !== undefined);
  return hour === undefined ? null : hour * 60;
}
