import type { SpokenRule } from './spoken-rule.js';

/** Short units after a slash, as in "$20/hr", and their full names. */
const FULL_UNIT: Readonly<Record<string, string>> = {
  hr: 'hour',
  h: 'hour',
  mo: 'month',
  yr: 'year',
  wk: 'week',
  min: 'minute',
  sec: 'second',
};
/** Units before which a slash means "per". */
const RATE_UNIT =
  'hours?|hr|h|days?|weeks?|wk|months?|mo|years?|yr|nights?|persons?|people|minutes?|min|seconds?|sec|item|unit|piece';

/**
 * Rules of `speakableText` for English lengths, rates and signs of arithmetic. They run early: feet and inches look
 * like quotation marks.
 */
export const MEASURE_RULES: readonly SpokenRule[] = [
  // `5'11"` is "5 feet 11".
  {
    written: /(?<![\w.])(\d{1,2})\s?['’′]\s?(1[01]|\d)\s?(?:["”″]|''|’’)?(?!\w)/g,
    said: '$1 feet $2',
  },
  // "6' tall" is "6 feet tall", `10" wide` is "10 inches wide".
  { written: /(\d)\s?[′']\s?(?=(?:tall|wide|long|high|deep|x)\b)/g, said: '$1 feet ' },
  { written: /(\d)\s?(?:″|["”](?=\s?(?:tall|wide|long|high|deep|thick|x)\b))/g, said: '$1 inches' },
  // "$20/hr" is "$20 per hour".
  {
    written: new RegExp(String.raw`(?<=\d[€£¥₹kKmM]?)\s?\/\s?(${RATE_UNIT})\b`, 'g'),
    said: (_all, unit) => ` per ${FULL_UNIT[unit] ?? unit}`,
  },
  { written: /±\s?(?=\d)/g, said: 'plus or minus ' },
  { written: /\s?×\s?/g, said: ' times ' },
  { written: /≤\s?/g, said: 'at most ' },
  { written: /≥\s?/g, said: 'at least ' },
];
