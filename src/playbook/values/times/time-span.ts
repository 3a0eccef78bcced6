import { digitOf, smallNumberAt } from '#language/numbers/number-words.js';

/** A span of time found among words. */
interface Span {
  minutes: number;
  /** The number of words that name the span. */
  length: number;
}

const UNIT_MINUTES: ReadonlyMap<string, number> = new Map([
  ['minute', 1],
  ['minutes', 1],
  ['min', 1],
  ['mins', 1],
  ['hour', 60],
  ['hours', 60],
  ["hour's", 60],
]);
const HOUR_MINUTES = 60;
/** Parts of an hour that need no number. */
const PARTS_OF_AN_HOUR: readonly (readonly [string, number])[] = [
  ['half an hour', 30],
  ['half of an hour', 30],
  ['a half hour', 30],
  ['half hour', 30],
  ['a quarter of an hour', 15],
  ['quarter of an hour', 15],
  ['three quarters of an hour', 45],
];
/** Fractions of the preceding amount: "an hour and a half", "two and a half hours". */
const FRACTIONS: readonly (readonly [string, number])[] = [
  ['and a half', 0.5],
  ['and half', 0.5],
  ['and a quarter', 0.25],
  ['and three quarters', 0.75],
];
/** Amounts that are no numbers. */
const COUNTS: readonly (readonly [string, number])[] = [
  ['a couple of', 2],
  ['a couple', 2],
  ['couple of', 2],
  ['an', 1],
  ['a', 1],
];
/** What may follow "an hour and twenty" (or nothing does). Before any other word "twenty" may count something else. */
const END_OF_MINUTES = new Set([undefined, 'from', 'or', 'please', 'thanks', 'thank', 'ok', 'okay', 'bye']);

/**
 * The span of time that begins at the word `start`: "two hours and fifteen minutes", "half an hour", "an hour and a
 * half". Null if none does. `timeAfterSpan` uses it for "in half an hour".
 */
export function timeSpanAt(words: readonly string[], start: number): Span | null {
  const first = partAt(words, start);
  if (!first) return null;
  const at = start + first.length;
  const next = words[at] === 'and' ? at + 1 : at;
  const second = first.isHours ? (minutesAt(words, next) ?? bareMinutesAt(words, next)) : null;
  if (!second) return { minutes: Math.round(first.minutes), length: first.length };
  return { minutes: Math.round(first.minutes + second.minutes), length: next + second.length - start };
}

/** One part of a span: an amount with its unit, or a fixed phrase such as "half an hour". */
function partAt(words: readonly string[], at: number): (Span & { isHours: boolean }) | null {
  const part = phraseAt(words, at, PARTS_OF_AN_HOUR);
  if (part) return { minutes: part.value, length: part.length, isHours: false };
  const count = countAt(words, at);
  if (!count) return null;
  const fractionBefore = phraseAt(words, at + count.length, FRACTIONS);
  const unitAt = at + count.length + (fractionBefore?.length ?? 0);
  const unitMinutes = UNIT_MINUTES.get(words[unitAt] ?? '');
  if (unitMinutes === undefined) return null;
  const fractionAfter = fractionBefore ? null : phraseAt(words, unitAt + 1, FRACTIONS);
  return {
    minutes: (count.value + (fractionBefore?.value ?? 0) + (fractionAfter?.value ?? 0)) * unitMinutes,
    length: unitAt + 1 + (fractionAfter?.length ?? 0) - at,
    isHours: unitMinutes === HOUR_MINUTES && !fractionAfter,
  };
}

/** Minutes after hours: "fifteen minutes". */
function minutesAt(words: readonly string[], at: number): Span | null {
  const part = partAt(words, at);
  return part && !part.isHours && part.minutes < HOUR_MINUTES ? part : null;
}

/** Minutes without their unit: "twenty" after "an hour and". */
function bareMinutesAt(words: readonly string[], at: number): Span | null {
  const count = smallNumberAt(words, at);
  const isEnd = count !== null && END_OF_MINUTES.has(words[at + count.length]);
  return isEnd && !count.isOrdinal && count.value < HOUR_MINUTES
    ? { minutes: count.value, length: count.length }
    : null;
}

/** An amount: "two", "a couple of", "two point five". */
function countAt(words: readonly string[], at: number): { value: number; length: number } | null {
  const count = phraseAt(words, at, COUNTS) ?? smallNumberAt(words, at);
  if (!count || words[at + count.length] !== 'point') return count;
  const tenths = digitOf(words[at + count.length + 1]);
  return tenths === undefined ? null : { value: count.value + tenths / 10, length: count.length + 2 };
}

/** The first of some phrases that begins at the word `at`, with its value and its number of words. */
function phraseAt(
  words: readonly string[],
  at: number,
  phrases: readonly (readonly [string, number])[],
): { value: number; length: number } | null {
  for (const [phrase, value] of phrases) {
    const length = phrase.split(' ').length;
    if (words.slice(at, at + length).join(' ') === phrase) return { value, length };
  }
  return null;
}
