import { digitOf, smallNumberAt, yearAt } from './number-words.js';

/*
 * Reads numbers of two parts, as in years and prices: "nineteen ninety" is 1990 or 19.90; the question decides which.
 * Used by `readNumber`. English only.
 */

/** The kind of number that a question asks for, as far as its words show it. */
export type Unit = 'money' | 'year';

/** The limits and the unit of the number that a question asks for, as far as they are known. */
export interface NumberReading {
  max?: number;
  min?: number;
  /** True if fractions are no answer. */
  isWhole?: boolean;
  /** Null if the question's words do not show it. */
  unit?: Unit | null;
  /** The words of the question, if known. */
  asked?: string | null | undefined;
}

/** Questions that ask for a year, and for an amount of money. */
const YEAR = /\b(?:what|which|the) year\b|\byear (?:of|was|were|is|did|do)\b|\bborn\b/i;
const MONEY =
  /\bhow much\b|\b(?:amounts?|prices?|costs?|pay|pays|paid|paying|payments?|dollars?|euros?|cents|bill|balance|owe|charges?|charged|fees?|budget|spend|spent|rent|salary|deposit)\b/i;
const CURRENCY = /^(?:dollars?|pounds?|euros?|bucks?|quid)$/;
/** Words for hundredths of a currency. */
const CHANGE = /^(?:cents?|pence|p)$/;

/** The unit that a question's words ask for; null if they do not show it. */
export function unitOf(asked: string | null | undefined): Unit | null {
  if (YEAR.test(asked ?? '')) return 'year';
  return MONEY.test(asked ?? '') ? 'money' : null;
}

/**
 * An amount of money with its unit: "five pounds fifty", "twenty dollars and ten cents", "fifty cents". Null for other
 * words, and for whole amounts ("five pounds"), which are plain numbers.
 * @param asked the text of the question: cents are hundredths unless it asks for cents
 */
export function moneyAt(
  words: readonly string[],
  index: number,
  asked: string | null | undefined,
): { value: number; length: number } | null {
  const whole = smallNumberAt(words, index);
  const isChange =
    whole !== null && !whole.isOrdinal && /^(?:cents?|pence)$/.test(words[index + whole.length] ?? '');
  if (isChange && unitOf(asked) === 'money' && !/\b(?:cents|pence)\b/i.test(asked ?? ''))
    return { value: hundredths(0, whole.value), length: whole.length + 1 };
  if (!whole || whole.isOrdinal || !CURRENCY.test(words[index + whole.length] ?? '')) return null;
  const afterCurrency = index + whole.length + 1;
  const at = words[afterCurrency] === 'and' ? afterCurrency + 1 : afterCurrency;
  const change = smallNumberAt(words, at);
  if (!change || change.isOrdinal) return null;
  const isNamed = CHANGE.test(words[at + change.length] ?? '');
  const isLast = at + change.length === words.length;
  // "Twenty dollars, thirty dollars" and "five pounds and ten" are two amounts, or a sum.
  if (!isNamed && (at > afterCurrency || !isLast || change.value < 10)) return null;
  return {
    value: hundredths(whole.value, change.value),
    length: at + change.length + (isNamed ? 1 : 0) - index,
  };
}

/**
 * Two numbers in one breath: "nineteen ninety" is 1990 or 19.90. The unit and the range of the question decide. Null if
 * there are no two numbers; `value` is null if both readings remain possible.
 */
export function twoPartAt(
  words: readonly string[],
  index: number,
  { min = -Infinity, max = Infinity, isWhole = true, unit = null }: NumberReading,
): { value: number | null; length: number } | null {
  const year = yearAt(words, index);
  const isYear = year !== null && !/^(?:hundred|thousand)$/.test(words[index + 1] ?? '') && year.length > 1;
  const price = priceAt(words, index);
  if (!price || (!isYear && unit !== 'money')) return null;
  const isMoney = unit === 'money' || CURRENCY.test(words[index + price.length] ?? '');
  const isInRange = (value: number) => value >= min && value <= max;
  // The question asks for a year, or its limits exclude the price.
  if (isYear && (unit === 'year' || !isInRange(price.value))) return year;
  // A price with fractions is no answer to a question for whole amounts.
  if (isMoney) return { ...price, value: isWhole || price.isOpen ? null : price.value };
  if (!isYear) return null;
  // Without a unit, both readings remain possible if the question accepts fractions.
  return isWhole || !isInRange(year.value) ? year : { ...price, value: null };
}

/**
 * A price without its unit: "nineteen ninety", "twelve oh five". `isOpen` if the words may be two amounts: "twenty,
 * thirty".
 */
function priceAt(words: readonly string[], index: number) {
  const whole = smallNumberAt(words, index);
  if (!whole || whole.isOrdinal || whole.value < 10) return null;
  const at = index + whole.length;
  const digit = /^(?:oh|o)$/.test(words[at] ?? '') ? digitOf(words[at + 1]) : undefined;
  const part = digit === undefined ? smallNumberAt(words, at) : { value: digit, length: 2, isOrdinal: false };
  if (!part || part.isOrdinal || (digit === undefined && part.value < 10)) return null;
  const isOpen = whole.value % 5 === 0 && [0, 5, 10].includes(part.value - whole.value);
  return { value: hundredths(whole.value, part.value), length: whole.length + part.length, isOpen };
}

/** An amount of money of whole units and hundredths. */
function hundredths(whole: number, part: number): number {
  return Math.round(whole * 100 + part) / 100;
}
