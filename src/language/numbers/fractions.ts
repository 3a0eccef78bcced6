import { digitOf, smallNumberAt } from './number-words.js';

/*
 * Reads fractions and scales (dozen, thousand) in spoken English numbers, for `readNumber`: "two point five", "half a
 * dozen". All functions take the words of an utterance and the index at which to read.
 */

/** A number found among words. */
interface Amount {
  value: number;
  /** How many words it has. */
  length: number;
}

/** Names of fractions. "Fifth" and "tenth" are missing: they are mostly days, as in "the fifth". */
const FRACTIONS: ReadonlyMap<string, number> = new Map([
  ['half', 1 / 2],
  ['halves', 1 / 2],
  ['third', 1 / 3],
  ['thirds', 1 / 3],
  ['quarter', 1 / 4],
  ['quarters', 1 / 4],
  ['fifths', 1 / 5],
  ['tenths', 1 / 10],
]);
/** Words that multiply the number before them. */
const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1_000],
  ['grand', 1_000],
  ['million', 1_000_000],
]);

/**
 * A whole number with the fraction that follows it: "[two] point five", "[two] and a half", "[two] hours and a half",
 * "[three] quarters". Without a fraction the whole number itself.
 * @param at the word after the whole number
 * @returns the value of both; `length` counts only the words of the fraction, 0 without one
 */
export function fractionAt(words: readonly string[], at: number, whole: number): Amount {
  const part = FRACTIONS.get(words[at] ?? '');
  // "[three] quarters", rounded to four decimals.
  if (part !== undefined && whole > 0) return { value: Math.round(whole * part * 1e4) / 1e4, length: 1 };
  // In "one hour and a half" the unit stands between the number and the fraction.
  const from = words[at] !== 'and' && words[at + 1] === 'and' && words[at + 2] === 'a' ? at + 1 : at;
  const joined = words[from] === 'and' ? countedFractionAt(words, from + 1) : null;
  if (joined) return { value: whole + joined.value, length: from + 1 + joined.length - at };
  if (words[at] !== 'point') return { value: whole, length: 0 };
  const decimals = decimalsAt(words, at + 1);
  return decimals
    ? { value: Number(`${whole}.${decimals.digits}`), length: 1 + decimals.length }
    : { value: whole, length: 0 };
}

/** A fraction with its count: "a half", "three quarters". */
function countedFractionAt(words: readonly string[], at: number): Amount | null {
  const count = words[at] === 'a' ? { value: 1, length: 1 } : smallNumberAt(words, at);
  const part = count && FRACTIONS.get(words[at + count.length] ?? '');
  return part ? { value: count.value * part, length: count.length + 1 } : null;
}

/** The digits after "point": "two five", "twenty five", "25". */
function decimalsAt(words: readonly string[], start: number): { digits: string; length: number } | null {
  let end = start;
  let digits = '';
  for (;;) {
    const digit = /^\d+$/.test(words[end] ?? '') ? words[end] : digitOf(words[end]);
    // The digits may be said as one number: "point twenty five".
    const small = digit === undefined ? smallNumberAt(words, end) : null;
    if (digit === undefined && (!small || small.isOrdinal)) break;
    digits += String(digit ?? small!.value);
    end += small?.length ?? 1;
  }
  return digits === '' ? null : { digits, length: end - start };
}

/** A fraction with no number before it: "half", "half a dozen", "quarter", "an hour and a quarter"; else null. */
export function fractionWithoutNumber(words: readonly string[], start: number): Amount | null {
  if (words[start] === 'half') {
    const scale = words[start + 1] === 'a' ? MULTIPLIERS.get(words[start + 2] ?? '') : undefined;
    return scale === undefined ? { value: 0.5, length: 1 } : { value: scale / 2, length: 3 };
  }
  if (words[start] === 'quarter') return { value: 0.25, length: 1 };
  const isOneAndAPart =
    /^an?$/.test(words[start] ?? '') && words[start + 2] === 'and' && words[start + 3] === 'a';
  const part = isOneAndAPart ? FRACTIONS.get(words[start + 4] ?? '') : undefined;
  return part === undefined ? null : { value: 1 + part, length: 5 };
}

/** A number times the scale that follows it: "two and a half million", "two dozen". Without a scale the number. */
export function applyScale(words: readonly string[], start: number, { value, length }: Amount): Amount {
  const next = words[start + length] ?? '';
  const scale = MULTIPLIERS.get(next);
  // `numberAt` has read whole hundreds and thousands, so a scale here follows a fraction, or is "dozen".
  return scale === undefined || value <= 0 ? { value, length } : { value: value * scale, length: length + 1 };
}
