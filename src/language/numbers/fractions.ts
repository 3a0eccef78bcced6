import { digitOf, smallNumberAt } from './number-words.js';

interface Amount {
  value: number;
  /** Number of words. */
  length: number;
}

const PARTS: ReadonlyMap<string, number> = new Map([
  ['half', 1 / 2],
  ['halves', 1 / 2],
  ['third', 1 / 3],
  ['thirds', 1 / 3],
  ['quarter', 1 / 4],
  ['quarters', 1 / 4],
  ['fifths', 1 / 5],
  ['tenths', 1 / 10],
]);
const SCALES: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1_000],
  ['grand', 1_000],
  ['million', 1_000_000],
]);

/** A whole number with the fraction after it: "… point five", "… and a half", "… quarters", "… hours and a half". */
export function fractionAt(words: readonly string[], at: number, whole: number): Amount {
  const part = PARTS.get(words[at] ?? '');
  if (part !== undefined && whole > 0) return { value: Math.round(whole * part * 1e4) / 1e4, length: 1 };
  // "One hour and a half": half of an hour.
  const from = words[at] !== 'and' && words[at + 1] === 'and' && words[at + 2] === 'a' ? at + 1 : at;
  const joined = words[from] === 'and' ? partAt(words, from + 1) : null;
  if (joined) return { value: whole + joined.value, length: from + 1 + joined.length - at };
  if (words[at] !== 'point') return { value: whole, length: 0 };
  const decimals = decimalsAt(words, at + 1);
  return decimals
    ? { value: Number(`${whole}.${decimals.digits}`), length: 1 + decimals.length }
    : { value: whole, length: 0 };
}

/** "A half", "three quarters". */
function partAt(words: readonly string[], at: number): Amount | null {
  const count = words[at] === 'a' ? { value: 1, length: 1 } : smallNumberAt(words, at);
  const part = count && PARTS.get(words[at + count.length] ?? '');
  return part ? { value: count.value * part, length: count.length + 1 } : null;
}

function decimalsAt(words: readonly string[], start: number): { digits: string; length: number } | null {
  let end = start;
  let digits = '';
  for (;;) {
    const digit = /^\d+$/.test(words[end] ?? '') ? words[end] : digitOf(words[end]);
    // "Point twenty five".
    const small = digit === undefined ? smallNumberAt(words, end) : null;
    if (digit === undefined && (!small || small.isOrdinal)) break;
    digits += String(digit ?? small!.value);
    end += small?.length ?? 1;
  }
  return digits === '' ? null : { digits, length: end - start };
}

/** "Half", "half a dozen", "a quarter", "an hour and a half". */
export function halfBehind(words: readonly string[], start: number): Amount | null {
  if (words[start] === 'half') {
    const scale = words[start + 1] === 'a' ? SCALES.get(words[start + 2] ?? '') : undefined;
    return scale === undefined ? { value: 0.5, length: 1 } : { value: scale / 2, length: 3 };
  }
  if (words[start] === 'quarter') return { value: 0.25, length: 1 };
  const isOneAndAHalf =
    /^an?$/.test(words[start] ?? '') && words[start + 2] === 'and' && words[start + 3] === 'a';
  const part = isOneAndAHalf ? PARTS.get(words[start + 4] ?? '') : undefined;
  return part === undefined ? null : { value: 1 + part, length: 5 };
}

/** "Two and a half million", "two dozen": the number times the scale after it. */
export function ofScale(words: readonly string[], start: number, { value, length }: Amount): Amount {
  const behind = words[start + length] ?? '';
  const scale = SCALES.get(behind);
  // Whole hundreds and thousands were read with their number.
  return scale === undefined || value <= 0 ? { value, length } : { value: value * scale, length: length + 1 };
}
