import type { DateTime } from 'luxon';
import { dayMentions, daysMeant } from '#playbook/values/dates/date-mentions.js';
import { readTime } from './read-time.js';
import { spokenWords } from '#language/spoken-words.js';
import { timeSpanAt } from './time-span.js';

/** The hour assumed for a part of the day. */
const DAYTIME_HOURS: ReadonlyMap<string, number> = new Map([
  ['morning', 10],
  ['lunchtime', 13],
  ['afternoon', 15],
  ['evening', 18],
  ['tonight', 19],
]);
/** Words before a span of time until the call. */
const AHEAD = new Set(['in', 'after', 'within']);
/** Words between "in" and the span. */
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

/** A call-back today without a time is this many hours from now. */
export const LATER_TODAY_HOURS = 1;
/**
 * Until this minute "today at eight" may mean the evening if the morning has passed. Later calls would disturb
 * people.
 */
const EVENING_ENDS = 21 * 60;
/** The same limit without a named day: "at nine", said in the afternoon, means the next morning. */
const OPEN_EVENING_ENDS = EVENING_ENDS - 1;

/**
 * Reads when the caller wants to be called: "tomorrow at three", "in half an hour", "on Monday". Null if they do not
 * say. A time named with its day may have passed: "today at ten", at noon.
 * @param options.anchored whether a bare number is ignored; false only after a question for a time
 */
export function readMoment(
  text: string,
  now: DateTime,
  { anchored = true }: { anchored?: boolean } = {},
): DateTime | null {
  const words = spokenWords(text);
  const relative = inAWhile(words, now, { mayBeLater: true });
  if (relative) return relative;
  const today = now.startOf('day');
  const mentions = dayMentions(words, { today, near: null });
  const day = daysMeant(words, mentions)?.find((one) => one >= today);
  // A day that stays open or has passed cannot be used.
  if (!day && mentions.length > 0) return null;
  const said = readTime(text, { anchored });
  const minute = typeof said === 'number' ? said : daytimeMinute(words);
  const laterToday = (latest: number) => {
    const evening = readTime(text, { anchored, range: { earliest: now.hour * 60 + now.minute + 1, latest } });
    return typeof evening === 'number' ? atMinute(today, evening) : null;
  };
  if (!day) {
    if (minute === null) return null;
    const at = atMinute(today, minute);
    return at > now ? at : (laterToday(OPEN_EVENING_ENDS) ?? at.plus({ days: 1 }));
  }
  // A day without a time: the time of this call, at which the callee could be reached.
  if (minute === null)
    return day > today
      ? day.set({ hour: now.hour, minute: now.minute })
      : now.plus({ hours: LATER_TODAY_HOURS });
  const at = atMinute(day, minute);
  return at > now ? at : (laterToday(EVENING_ENDS) ?? at);
}

function atMinute(day: DateTime, minute: number): DateTime {
  return day.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
}

/**
 * "In twenty minutes", "after an hour", "two hours from now", "in two hours and fifteen minutes".
 * @param options.mayBeLater whether "an hour later" counts, too; false if it may refer to a time named before
 */
export function inAWhile(
  words: readonly string[],
  now: DateTime,
  { mayBeLater = false }: { mayBeLater?: boolean } = {},
): DateTime | null {
  const minutes = words
    .map((_word, index) => minutesAway(words, index, mayBeLater))
    .find((one) => one !== null);
  return minutes === undefined || minutes === null ? null : now.plus({ minutes });
}

function minutesAway(words: readonly string[], index: number, mayBeLater: boolean): number | null {
  const isAhead = AHEAD.has(words[index]!);
  const roughly = words.slice(index + 1, index + 5).findIndex((word) => !ROUGHLY.has(word));
  const at = isAhead ? index + 1 + Math.max(0, roughly) : index;
  const span = timeSpanAt(words, at);
  if (!span) return null;
  const behind = words.slice(at + span.length, at + span.length + 2);
  const isFromNow = behind.join(' ') === 'from now' || (mayBeLater && behind[0] === 'later');
  return isAhead || isFromNow ? span.minutes : null;
}

function daytimeMinute(words: readonly string[]): number | null {
  const hour = words.map((word) => DAYTIME_HOURS.get(word)).find((one) => one !== undefined);
  return hour === undefined ? null : hour * 60;
}
