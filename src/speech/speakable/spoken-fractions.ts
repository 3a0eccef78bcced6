import type { SpokenRule } from './spoken-rule.js';

/** Names of the parts by the divisor. */
const PARTS: Readonly<Record<string, string>> = {
  2: 'half',
  3: 'third',
  4: 'quarter',
  5: 'fifth',
  6: 'sixth',
  7: 'seventh',
  8: 'eighth',
  9: 'ninth',
  10: 'tenth',
};

/**
 * "2½", which compatibility decomposition turns into "21⁄2": the last figure before the stroke belongs to the fraction.
 */
const ONE_SIGN = /(\d*)(\d)\u2044(\d+)/g;
/** "1 1/2". Without a whole number before it, "1/2" may be a day, for example. */
const MIXED = /(?<![\d/.,])(\d+) ([1-9])\/(10|[2-9])(?![\d/])/g;
/** "1/2 of it", "1/2 hour", "3/4 cup": a part of a named thing. */
const THINGS =
  'of|an?|full|off|price|hours?|miles?|inch|inches|pounds?|cups?|teaspoons?|tablespoons?|tablets?|pills?';
const OF_SOMETHING = new RegExp(String.raw`(?<![\d/.,])()([1-9])\/(10|[2-9])(?=\s(?:${THINGS})\b)`, 'g');

/** Fractions in spoken form: "2 and a half", "3 quarters". */
export const FRACTION_RULES: readonly SpokenRule[] = [ONE_SIGN, MIXED, OF_SOMETHING].map((written) => ({
  written,
  said: (all, whole, count, divisor) => sayFraction(whole, count, divisor) ?? all,
}));

function sayFraction(whole: string, count: string, divisor: string): string | null {
  const part = PARTS[divisor];
  if (!part || Number(count) >= Number(divisor)) return null;
  const parts = count === '1' ? `a ${part}` : `${count} ${part}s`;
  if (whole !== '') return `${whole} and ${parts}`;
  return parts === 'a half' ? 'half' : parts;
}
