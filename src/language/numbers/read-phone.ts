import { digitOf, smallNumberAt, REPEAT_WORDS } from './number-words.js';
import { spokenWords } from '#language/spoken-words.js';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { NOT_POSSIBLE } from '#language/not-possible.js';

/** Words of correction, after which the caller repeats some or all digits. */
const CORRECTIONS = new Set(['no', 'sorry', 'wait', 'mean', 'meant', 'actually', 'correction', 'rather']);
/** Words before an extension, which is no part of the number. */
const EXTENSION = /^(?:extension|ext)$/;
/** The zeros for which a word stands in a phone number: "eight hundred". */
const ZEROS_OF_WORD: ReadonlyMap<string, string> = new Map([
  ['hundred', '00'],
  ['thousand', '000'],
]);

/** The digits of an utterance. */
interface SaidDigits {
  /** The digits, split at words of correction. */
  groups: readonly string[];
  /** True after "plus" at the beginning. */
  isInternational: boolean;
  /** The number of pairs, numbers of two words: "twenty three" may mean 23, or 20 and 3. */
  pairs: number;
}

/**
 * Reads the digits of a spoken phone number in English: single digits, "double seven", "oh", "twenty three".
 * @param splitPair the index, from 0, of the pair ("twenty three") that is read as 20 and 3 instead of 23; -1 for none
 */
function readDigits(text: string, splitPair = -1): SaidDigits {
  const words = spokenWords(text.replace(/\+/g, ' plus '));
  const groups = [''];
  let isInternational = false;
  let pairs = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const group = groups.at(-1)!;
    if (EXTENSION.test(word)) break;
    if (CORRECTIONS.has(word) && group !== '') groups.push('');
    if (word === 'plus' && group === '' && groups.length === 1) isInternational = true;
    const part = partAt(words, index, pairs === splitPair);
    if (!part) continue;
    pairs += part.isPair ? 1 : 0;
    groups[groups.length - 1] += part.digits;
    index += part.length - 1;
  }
  return { groups: groups.filter((group) => group !== ''), isInternational, pairs };
}

/** Digits found at a word. */
interface FoundDigits {
  digits: string;
  /** The number of words. */
  length: number;
  /** True for a number of two words: see `SaidDigits.pairs`. */
  isPair: boolean;
}

/** The digits that begin at the word `index`; null if there are none. */
function partAt(words: readonly string[], index: number, isSplit: boolean): FoundDigits | null {
  const word = words[index]!;
  const times = REPEAT_WORDS.get(word);
  const repeated = times === undefined ? undefined : digitOf(words[index + 1]);
  if (times !== undefined && repeated !== undefined)
    return { digits: String(repeated).repeat(times), length: 2, isPair: false };
  if (/^\d+$/.test(word)) return { digits: word, length: 1, isPair: false };
  const digit = word === 'niner' ? 9 : digitOf(word);
  const small =
    digit === undefined ? smallNumberAt(words, index) : { value: digit, length: 1, isOrdinal: false };
  if (!small || small.isOrdinal) return null;
  const isPair = small.length === 2;
  const [value, length] =
    isPair && isSplit ? [small.value - (small.value % 10), 1] : [small.value, small.length];
  const zeros = ZEROS_OF_WORD.get(words[index + length] ?? '') ?? '';
  return { digits: `${value}${zeros}`, length: length + (zeros === '' ? 0 : 1), isPair };
}

/** After a correction, at least this many digits repeat the whole number; fewer replace as many at its end. */
const WHOLE_NUMBER_DIGITS = 7;
/** Fewer digits are no attempt to say a phone number. */
const FEWEST_DIGITS = 3;
/** The fewest and the most digits of a phone number. E.164 allows 15, with the country code. */
const SHORTEST_NUMBER = 7;
const LONGEST_NUMBER = 15;

/**
 * Reads a spoken phone number in English, or one in figures. `readValue` uses it for every language.
 * @param region the country of national numbers; without it only international numbers become E.164
 * @returns E.164 or bare digits; {@link NOT_POSSIBLE} for digits that are no number; null if there are none
 */
export function readPhoneDigits(text: string, region?: CountryCode): string | typeof NOT_POSSIBLE | null {
  const said = readDigits(text);
  const digits = said.groups.join('');
  // "I do not have one" contains no number.
  if (digits.length < FEWEST_DIGITS) return null;
  const splitPairs = Array.from({ length: said.pairs }, (_pair, index) => readDigits(text, index));
  const readings = [said, ...splitPairs].flatMap((reading) => correctionReadings(reading, region));
  const numbers = readings.flatMap((digitsRead) => numberOf(digitsRead, region) ?? []);
  // "Twenty seven" may be 27 or 20 and 7: a valid number takes precedence.
  return (numbers.find(({ isValid }) => isValid) ?? numbers[0])?.number ?? NOT_POSSIBLE;
}

/** The number of digits said so far, without corrected ones. The end of a turn waits for the rest of a number. */
export function digitsSoFar(text: string): number {
  return readDigits(text).groups.reduce(withCorrection, '').length;
}

/** One reading of a number: its digits after corrections. */
interface Digits {
  digits: string;
  isInternational: boolean;
}

/** Possible readings of a number with corrections, the likeliest first. */
function correctionReadings(
  { groups, isInternational }: SaidDigits,
  region: CountryCode | undefined,
): Digits[] {
  const usual = groups.reduce(withCorrection, '');
  const [first = '', second, ...more] = groups;
  const readings = [usual];
  if (second !== undefined && more.length === 0) readings.push(...restarts(first, second, region));
  return readings.map((digits) => ({ digits, isInternational }));
}

/** The digits with a correction applied: the group replaces the whole number, or its end. */
function withCorrection(digits: string, group: string): string {
  const kept = group.length < WHOLE_NUMBER_DIGITS ? digits.length - group.length : 0;
  return digits.slice(0, Math.max(0, kept)) + group;
}

/**
 * The valid number that a caller means who repeats from an earlier digit: "… two six seven, no, two six eight one".
 * Empty if there is none.
 */
function restarts(said: string, again: string, region: CountryCode | undefined): string[] {
  const starts = [...said].flatMap((digit, at) => (at > 0 && digit === again[0] ? [at] : []));
  return starts
    .map((at) => said.slice(0, at) + again)
    .filter((digits) => numberOf({ digits, isInternational: false }, region)?.isValid === true)
    .slice(0, 1);
}

/**
 * The phone number of some digits, E.164 where the country is known, and whether its country has this number; null if
 * the digits are too few or too many, for any number or for one of the region.
 */
function numberOf({ digits, isInternational }: Digits, region: CountryCode | undefined) {
  // Two more digits are possible: the zeros for a plus.
  if (digits.length < SHORTEST_NUMBER || digits.length > LONGEST_NUMBER + 2) return null;
  // Callers dial a plus as two zeros, even in countries with another international prefix.
  const hasDialledPlus = !isInternational && digits.startsWith('00') && !nationalNumber(digits, region);
  if (isInternational || hasDialledPlus) {
    const number = `+${hasDialledPlus ? digits.slice(2) : digits}`;
    if (number.length > LONGEST_NUMBER + 1) return null;
    return { number, isValid: parsePhoneNumberFromString(number)?.isValid() === true };
  }
  if (region === undefined) return digits.length > LONGEST_NUMBER ? null : { number: digits, isValid: false };
  const national = nationalNumber(digits, region);
  return national ? { number: national.number, isValid: national.isValid() } : null;
}

/** The number as one of the region; undefined if it has an impossible length there, or the region is unknown. */
function nationalNumber(digits: string, region: CountryCode | undefined) {
  const national = region === undefined ? undefined : parsePhoneNumberFromString(digits, region);
  return national?.isPossible() ? national : undefined;
}
