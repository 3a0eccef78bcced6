import type { SpokenRule } from './spoken-rule.js';

/** The name of one part by the divisor: 4 is "quarter". */
const NAME_BY_DIVISOR: Readonly<Record<string, string>> = {
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
 * "2½", which Unicode normalisation turns into "21⁄2": only the last figure before the stroke belongs to the fraction.
 */
const FRACTION_SIGN = /(\d*)(\d)\u2044(\d+)/g;
/** "1 1/2". Without a whole number before it, "1/2" may be something else, such as a day. */
const WHOLE_AND_FRACTION = /(?<![\d/.,])(\d+) ([1-9])\/(10|[2-9])(?![\d/])/g;
/** Words after a fraction of a thing: "1/2 of it", "1/2 hour", "3/4 cup". */
const THINGS =
  'of|an?|full|off|price|hours?|miles?|inch|inches|pounds?|cups?|teaspoons?|tablespoons?|tablets?|pills?';
/** A fraction before these words. The empty group stands for the missing whole number. */
const FRACTION_OF_THING = new RegExp(String.raw`(?<![\d/.,])()([1-9])\/(10|[2-9])(?=\s(?:${THINGS})\b)`, 'g');

/**
 * Rules of `speakableText` for English fractions: "2 and a half", "3 quarters". Each pattern has the groups whole,
 * count and divisor.
 */
export const FRACTION_RULES: readonly SpokenRule[] = [
  FRACTION_SIGN,
  WHOLE_AND_FRACTION,
  FRACTION_OF_THING,
].map((written) => ({
  written,
  said: (all, whole, count, divisor) => sayFraction(whole, count, divisor) ?? all,
}));

/**
 * "2 and a half" for 2 1/2, "3 quarters" for 3/4; null for a divisor without a name, or a fraction of 1 or more (5/4).
 */
function sayFraction(whole: string, count: string, divisor: string): string | null {
  const part = NAME_BY_DIVISOR[divisor];
  if (!part || Number(count) >= Number(divisor)) return null;
  const parts = count === '1' ? `a ${part}` : `${count} ${part}s`;
  if (whole !== '') return `${whole} and ${parts}`;
  return parts === 'a half' ? 'half' : parts;
}
