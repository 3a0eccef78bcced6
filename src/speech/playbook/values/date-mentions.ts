import type { DateTime } from 'luxon';
import type { Mention } from './mentions.js';
import { smallNumberAt, yearAt } from './number-words.js';

/** A day that was named, as the days it may be; in order of likelihood where "Tuesday" leaves it open. */
export type DayMention = Mention<string> & { days: readonly DateTime[] };

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3));
const UNITS: ReadonlyMap<string, 'days' | 'weeks' | 'months'> = new Map([
  ['day', 'days'],
  ['days', 'days'],
  ['week', 'weeks'],
  ['weeks', 'weeks'],
  ['month', 'months'],
  ['months', 'months'],
]);

/** The days that an utterance names, from left to right; `today` is midnight in the caller's zone. */
export function dayMentions(words: readonly string[], today: DateTime): DayMention[] {
  const found: DayMention[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const hit = dayAt(words, index, today);
    if (!hit) continue;
    const days = hit.days.filter((day) => day.isValid);
    found.push({
      value: days.map((day) => day.toISODate()).join(' '),
      days,
      start: index,
      end: index + hit.length,
    });
    index += hit.length - 1;
  }
  return found;
}

interface Hit {
  days: readonly DateTime[];
  length: number;
}

function dayAt(words: readonly string[], index: number, today: DateTime): Hit | null {
  return (
    byOffset(words, index, today) ??
    byDistance(words, index, today) ??
    byWeekday(words, index, today) ??
    byMonth(words, index, today) ??
    byFigures(words, index, today) ??
    byDayOfMonth(words, index, today)
  );
}

const OFFSETS: readonly (readonly [readonly string[], number])[] = [
  [['day', 'after', 'tomorrow'], 2],
  [['day', 'before', 'yesterday'], -2],
  [['today'], 0],
  [['tonight'], 0],
  [['tomorrow'], 1],
  [['yesterday'], -1],
];

function byOffset(words: readonly string[], index: number, today: DateTime): Hit | null {
  const found = OFFSETS.find(([phrase]) => phrase.every((word, at) => words[index + at] === word));
  if (!found) return null;
  const [phrase, days] = found;
  // "Tomorrow, the twenty second": one day named twice.
  const named = dayOfMonthAt(words, index + phrase.length);
  const day = today.plus({ days });
  if (named && named.isSure && day.day === named.day)
    return { days: [day], length: phrase.length + named.length };
  return { days: [day], length: phrase.length };
}

/** "In two weeks", "a week from Tuesday", "three days ago", "a week on Monday". */
function byDistance(words: readonly string[], index: number, today: DateTime): Hit | null {
  const at = words[index] === 'in' ? index + 1 : index;
  const isOne = words[at] === 'a' || words[at] === 'one';
  const count = isOne ? { value: 1, length: 1 } : smallNumberAt(words, at);
  const unit = count && UNITS.get(words[at + count.length] ?? '');
  if (!unit) return null;
  const end = at + count.length + 1;
  const amount = { [unit]: count.value };
  if (words[end] === 'ago') return { days: [today.minus(amount)], length: end + 1 - index };
  if (/^(?:from|on|after)$/.test(words[end] ?? '')) {
    const base = byOffset(words, end + 1, today) ?? byWeekday(words, end + 1, today);
    if (base)
      return {
        days: base.days.slice(0, 1).map((day) => day.plus(amount)),
        length: end + 1 + base.length - index,
      };
    if (words[end + 1] === 'now') return { days: [today.plus(amount)], length: end + 2 - index };
  }
  return words[index] === 'in' ? { days: [today.plus(amount)], length: end - index } : null;
}

function byWeekday(words: readonly string[], index: number, today: DateTime): Hit | null {
  const which = /^(?:this|next|last|coming)$/.test(words[index] ?? '') ? words[index] : undefined;
  const at = which === undefined ? index : index + 1;
  const weekday = WEEKDAYS.indexOf((words[at] ?? '').replace(/s$/, '')) + 1;
  if (weekday === 0) return null;
  const end = weekEnd(words, at + 1);
  const date = dateAfterWeekday(words, end.at, today, weekday);
  if (date) return { days: date.days, length: end.at + date.length - index };
  const ahead = (weekday - today.weekday + 7) % 7;
  const coming = today.plus({ days: ahead });
  if (end.isNextWeek || which === 'next') {
    // "Next Tuesday" is that of the next calendar week.
    return { days: [today.startOf('week').plus({ weeks: 1, days: weekday - 1 })], length: end.at - index };
  }
  if (end.isWeekLater) return { days: [coming.plus({ weeks: 1 })], length: end.at - index };
  if (which === 'last')
    return { days: [today.minus({ days: (today.weekday - weekday + 7) % 7 || 7 })], length: end.at - index };
  if (which === 'this') return { days: [coming], length: end.at - index };
  // Who says "Tuesday" on a Tuesday means the next one: today is called today.
  const next = ahead === 0 ? today.plus({ weeks: 1 }) : coming;
  return { days: [next, next.minus({ weeks: 1 })], length: end.at - index };
}

function weekEnd(words: readonly string[], at: number) {
  if (words[at] === 'next' && words[at + 1] === 'week')
    return { at: at + 2, isNextWeek: true, isWeekLater: false };
  if (words[at] === 'week') return { at: at + 1, isNextWeek: false, isWeekLater: true };
  return { at, isNextWeek: false, isWeekLater: false };
}

/** "Tuesday the 24th", "Tuesday, November 24": the date counts where both agree; where they do not, neither does. */
function dateAfterWeekday(
  words: readonly string[],
  at: number,
  today: DateTime,
  weekday: number,
): Hit | null {
  const from = words[at] === 'on' ? at + 1 : at;
  const date = byMonth(words, from, today) ?? byDayOfMonth(words, from, today);
  if (!date) return null;
  return { days: date.days.filter((day) => day.weekday === weekday), length: from - at + date.length };
}

/** "November twenty fourth", "the 24th of November 2026". */
function byMonth(words: readonly string[], index: number, today: DateTime): Hit | null {
  const month = monthOf(words[index]);
  if (month > 0) {
    const day = smallNumberAt(words, words[index + 1] === 'the' ? index + 2 : index + 1);
    if (!day || day.value < 1 || day.value > 31) return null;
    const end = (words[index + 1] === 'the' ? index + 2 : index + 1) + day.length;
    return withYear(words, { index, end, month, day: day.value }, today);
  }
  const at = words[index] === 'the' ? index + 1 : index;
  const day = smallNumberAt(words, at);
  if (!day || day.value < 1 || day.value > 31) return null;
  const monthAt = words[at + day.length] === 'of' ? at + day.length + 1 : at + day.length;
  const later = monthOf(words[monthAt]);
  // "May" after a number is a month only with "of" or an ordinal: "the 3rd may be better".
  if (later === 0 || (words[monthAt] === 'may' && words[monthAt + 1] === 'be')) return null;
  return withYear(words, { index, end: monthAt + 1, month: later, day: day.value }, today);
}

function monthOf(word: string | undefined): number {
  if (word === undefined) return 0;
  const long = MONTHS.indexOf(word) + 1;
  return long > 0 ? long : word === 'sept' ? 9 : SHORT_MONTHS.indexOf(word) + 1;
}

function withYear(
  words: readonly string[],
  date: { index: number; end: number; month: number; day: number },
  today: DateTime,
): Hit {
  const year = yearAt(words, date.end);
  const at = (value: number) => today.set({ year: value, month: date.month, day: 1 }).set({ day: date.day });
  const years = year ? [year.value] : [today.year, today.year + 1, today.year - 1];
  // The 31st of a month that has none would roll over into the next one.
  const days = years.map(at).filter((day) => day.month === date.month && day.day === date.day);
  return { days, length: date.end + (year?.length ?? 0) - date.index };
}

/** "2026-11-24", "11/24/2026", "24.11.2026". */
function byFigures(words: readonly string[], index: number, today: DateTime): Hit | null {
  const parts = [0, 1, 2].map((offset) => words[index + offset] ?? '');
  if (!parts.every((part) => /^\d+$/.test(part))) return null;
  const [first, second, third] = parts.map(Number) as [number, number, number];
  const candidates =
    parts[0]!.length === 4
      ? [[first, second, third]]
      : [
          [third, first, second],
          [third, second, first],
        ];
  if (parts[0]!.length !== 4 && parts[2]!.length !== 4) return null;
  const days = candidates
    .filter(([, month]) => month! >= 1 && month! <= 12)
    .map(([year, month, day]) => ({
      at: today.set({ year: year!, month: month!, day: 1 }).set({ day: day! }),
      day,
    }))
    .filter(({ at, day }) => at.day === day)
    .map(({ at }) => at);
  return { days: days.slice(0, 1), length: 3 };
}

/** "The twenty fourth": the next one there is, or the last one. */
function byDayOfMonth(words: readonly string[], index: number, today: DateTime): Hit | null {
  const named = dayOfMonthAt(words, index);
  if (!named?.isSure) return null;
  const months = [0, 1, 2, -1, -2].map((ahead) => today.set({ day: 1 }).plus({ months: ahead }));
  const days = months.map((month) => month.set({ day: named.day })).filter((day) => day.day === named.day);
  return { days, length: named.length };
}

/** An ordinal, with "the" before it or not; sure when it can hardly be anything but a day ("the first one" is not). */
function dayOfMonthAt(words: readonly string[], index: number) {
  const at = words[index] === 'the' ? index + 1 : index;
  const day = smallNumberAt(words, at);
  if (!day || !day.isOrdinal || day.value < 1 || day.value > 31) return null;
  const isSure = words[at + day.length] !== 'one' && words[at + day.length] !== 'time';
  return { day: day.value, length: at + day.length - index, isSure };
}
