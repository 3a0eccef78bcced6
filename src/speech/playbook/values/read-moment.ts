import type { DateTime } from 'luxon';
import { dayMentions } from './date-mentions.js';
import { meantOf } from './mentions.js';
import { smallNumberAt } from './number-words.js';
import { readTime } from './read-time.js';
import { spokenWords } from './spoken-words.js';

/** When "in the morning" is. */
const DAYTIME_HOURS: ReadonlyMap<string, number> = new Map([
  ['morning', 10],
  ['lunchtime', 13],
  ['afternoon', 15],
  ['evening', 18],
  ['tonight', 19],
]);
const UNITS: ReadonlyMap<string, 'minutes' | 'hours'> = new Map([
  ['minute', 'minutes'],
  ['minutes', 'minutes'],
  ['hour', 'hours'],
  ['hours', 'hours'],
]);

/** Reads when somebody wants to be called: "tomorrow at three", "in half an hour", "on Monday". Null when they do not say. */
export function readMoment(text: string, now: DateTime): DateTime | null {
  const words = spokenWords(text);
  const relative = inAWhile(words, now);
  if (relative) return relative;
  const today = now.startOf('day');
  const days = dayMentions(words, today);
  const meant = meantOf(words, days);
  const day = meant && days.find(({ start }) => start === meant.start)!.days.find((one) => one >= today);
  const said = readTime(text, { anchored: true });
  const minute = typeof said === 'number' ? said : daytimeMinute(words);
  if (!day) {
    if (minute === null) return null;
    const at = today.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
    return at > now ? at : at.plus({ days: 1 });
  }
  // A day without a time: at the time of this call, which suited them once.
  const at = day.set(
    minute === null
      ? { hour: now.hour, minute: now.minute }
      : { hour: Math.floor(minute / 60), minute: minute % 60 },
  );
  return at > now ? at : null;
}

function inAWhile(words: readonly string[], now: DateTime): DateTime | null {
  const at = words.indexOf('in') + 1;
  if (at === 0) return null;
  if (words[at] === 'half' && /^(?:an|hour)$/.test(words[at + 1] ?? '')) return now.plus({ minutes: 30 });
  const isOne = words[at] === 'an' || words[at] === 'a';
  const count = isOne ? { value: 1, length: 1 } : smallNumberAt(words, at);
  const unit = count && UNITS.get(words[at + count.length] ?? '');
  return unit ? now.plus({ [unit]: count.value }) : null;
}

function daytimeMinute(words: readonly string[]): number | null {
  const hour = words.map((word) => DAYTIME_HOURS.get(word)).find((one) => one !== undefined);
  return hour === undefined ? null : hour * 60;
}
