import { dayOfMonthAt, phraseStartsAt, type DayContext, type DayHit, type DayReader } from './day-words.js';
import { byHoliday } from './days-by-holiday.js';
import { byWeekday } from './days-by-week.js';
import { smallNumberAt } from '#language/numbers/number-words.js';

/** Names of days by their distance from today, in days. Longer names come before their own beginnings. */
const OFFSETS: readonly (readonly [readonly string[], number])[] = [
  [['the', 'day', 'after', 'tomorrow'], 2],
  [['day', 'after', 'tomorrow'], 2],
  [['the', 'day', 'before', 'yesterday'], -2],
  [['day', 'before', 'yesterday'], -2],
  [['this', 'morning'], 0],
  [['this', 'afternoon'], 0],
  [['this', 'evening'], 0],
  [['today'], 0],
  [['tonight'], 0],
  [['tomorrow'], 1],
  [['yesterday'], -1],
];

const UNITS: ReadonlyMap<string, 'days' | 'weeks' | 'months' | 'years' | 'fortnights'> = new Map([
  ['day', 'days'],
  ['days', 'days'],
  ['week', 'weeks'],
  ['weeks', 'weeks'],
  ['fortnight', 'fortnights'],
  ['fortnights', 'fortnights'],
  ['month', 'months'],
  ['months', 'months'],
  ['year', 'years'],
  ['years', 'years'],
]);

/** Reads a day by its name: "tomorrow", "tomorrow, the twenty second", "tomorrow week". */
export const byOffset: DayReader = (words, index, { today }) => {
  const found = OFFSETS.find(([phrase]) => phraseStartsAt(words, index, phrase));
  if (!found) return null;
  const [phrase, days] = found;
  const day = today.plus({ days });
  const end = index + phrase.length;
  if (words[end] === 'week') return { days: [day.plus({ weeks: 1 })], length: phrase.length + 1 };
  // "Tomorrow, the twenty second" is one day named twice.
  const named = dayOfMonthAt(words, end);
  const isTwice = named !== null && named.isSure && day.day === named.day;
  return { days: [day], length: phrase.length + (isTwice ? named.length : 0) };
};

/** Reads a day by its distance: "in two weeks", "a week from Tuesday", "three days ago", "a week on Monday". */
export const byDistance: DayReader = (words, index, context) => {
  const { today } = context;
  const hasIn = words[index] === 'in' || words[index] === 'after';
  const span = spanAt(words, hasIn ? index + 1 : index);
  if (!span) return null;
  const { amount } = span;
  const end = words[span.end] === 'time' ? span.end + 1 : span.end;
  if (words[end] === 'ago') return { days: [today.minus(amount)], length: end + 1 - index };
  // "A week before Easter".
  if (words[end] === 'before' && !hasIn) {
    const named = dayNamedAt(words, end + 1, context);
    return (
      named && { days: named.days.map((day) => day.minus(amount)), length: end + 1 + named.length - index }
    );
  }
  const isJoined = /^(?:from|on|after)$/.test(words[end] ?? '');
  if (isJoined && words[end + 1] === 'now') return { days: [today.plus(amount)], length: end + 2 - index };
  const at = isJoined ? end + 1 : end;
  const base = dayNamedAt(words, at, context);
  if (base) {
    // "In two weeks on Tuesday" may mean either of two Tuesdays.
    const days = hasIn ? [] : base.days.slice(0, 1).map((day) => day.plus(amount));
    return { days, length: at + base.length - index };
  }
  if (!hasIn) return null;
  // "In two weeks or so": the day stays open.
  const isRough = phraseStartsAt(words, end, ['or', 'so']);
  return { days: isRough ? [] : [today.plus(amount)], length: end + (isRough ? 2 : 0) - index };
};

/** An amount of time at the word `at` ("two weeks", "a couple of days"), and the index of the word after it. */
function spanAt(words: readonly string[], at: number) {
  const count = phraseStartsAt(words, at, ['a', 'couple', 'of'])
    ? { value: 2, length: 3 }
    : words[at] === 'a' || words[at] === 'one'
      ? { value: 1, length: 1 }
      : smallNumberAt(words, at);
  const unit =
    count && !('isOrdinal' in count && count.isOrdinal) && UNITS.get(words[at + count.length] ?? '');
  if (!unit) return null;
  const amount = unit === 'fortnights' ? { weeks: 2 * count.value } : { [unit]: count.value };
  return { amount, end: at + count.length + 1 };
}

/** Phrases for a day by its distance from another day. */
const NEIGHBOURS: readonly (readonly [RegExp, { days?: number; weeks?: number }])[] = [
  [/^(?:the )?(?:(?:next|following) day|day (?:after|later))\b/, { days: 1 }],
  [/^(?:a|one) day later\b/, { days: 1 }],
  [/^(?:the )?(?:day before|previous day)\b/, { days: -1 }],
  [/^(?:a|one) day (?:earlier|sooner)\b/, { days: -1 }],
  [/^(?:the )?(?:week after|following week)\b(?! next)/, { weeks: 1 }],
  [/^(?:a|one) week later\b/, { weeks: 1 }],
  [/^(?:the )?week before\b/, { weeks: -1 }],
  [/^(?:a|one) week (?:earlier|sooner)\b/, { weeks: -1 }],
];

/**
 * Reads a day by its distance from another day: from the day named after the phrase ("the day after Christmas"), else
 * from the day mentioned before ("a week later").
 */
export const byNeighbour: DayReader = (words, index, context) => {
  const tail = words.slice(index, index + 4).join(' ');
  const found = NEIGHBOURS.map(([phrase, amount]) => ({ said: phrase.exec(tail)?.[0], amount })).find(
    ({ said }) => said !== undefined,
  );
  if (found?.said === undefined) return null;
  const length = found.said.split(' ').length;
  const mayNameDay = /(?:after|before)$/.test(found.said);
  const named = mayNameDay ? dayNamedAt(words, index + length, context) : null;
  if (named) {
    const days = named.days.slice(0, 1).map((day) => day.plus(found.amount));
    return { days, length: length + named.length };
  }
  const thatLength = words[index + length] === 'that' ? 1 : 0;
  return { days: context.near ? [context.near.plus(found.amount)] : [], length: length + thatLength };
};

/** A day by its name, a holiday or a weekday, from which a distance may count; null if none begins at the word. */
function dayNamedAt(words: readonly string[], index: number, context: DayContext): DayHit | null {
  return (
    byOffset(words, index, context) ?? byHoliday(words, index, context) ?? byWeekday(words, index, context)
  );
}
