import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { digitOf, smallNumberAt } from './number-words.js';
import { NOT_POSSIBLE } from './not-possible.js';
import { spokenWords } from './spoken-words.js';

const TIMES: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
  ['treble', 3],
]);
/** Said before a digit that was wrong. */
const CORRECTIONS = new Set(['no', 'sorry', 'wait', 'mean', 'meant', 'actually', 'correction', 'rather']);
/** So many digits after a correction are the whole number once more, fewer replace as many at the end. */
const WHOLE_NUMBER_DIGITS = 7;
const FEWEST_DIGITS = 3;
const SHORTEST_NUMBER = 7;
const LONGEST_NUMBER = 15;

/** The digits of an utterance, with "double seven", "oh", "twenty three" and corrections understood. */
export function readDigits(text: string): { digits: string; isInternational: boolean } {
  const words = spokenWords(text.replace(/\+/g, ' plus '));
  /** What was said between corrections. */
  const groups = [''];
  let isInternational = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const group = groups.at(-1)!;
    if (CORRECTIONS.has(word) && group !== '') groups.push('');
    if (word === 'plus' && group === '' && groups.length === 1) isInternational = true;
    const part = partAt(words, index);
    if (!part) continue;
    groups[groups.length - 1] += part.digits;
    index += part.length - 1;
  }
  return { digits: groups.reduce(corrected), isInternational };
}

function corrected(digits: string, group: string): string {
  const kept = group.length < WHOLE_NUMBER_DIGITS ? digits.length - group.length : 0;
  return digits.slice(0, Math.max(0, kept)) + group;
}

function partAt(words: readonly string[], index: number): { digits: string; length: number } | null {
  const word = words[index]!;
  const times = TIMES.get(word);
  const repeated = times === undefined ? undefined : digitOf(words[index + 1]);
  if (times !== undefined && repeated !== undefined)
    return { digits: String(repeated).repeat(times), length: 2 };
  if (/^\d+$/.test(word)) return { digits: word, length: 1 };
  const digit = digitOf(word);
  if (digit !== undefined) {
    const isHundred = words[index + 1] === 'hundred';
    return { digits: isHundred ? `${digit}00` : String(digit), length: isHundred ? 2 : 1 };
  }
  const small = smallNumberAt(words, index);
  return small && !small.isOrdinal ? { digits: String(small.value), length: small.length } : null;
}

/**
 * Reads a phone number.
 * @param region the country whose numbers may be said as they are there; without it only international ones become E.164
 * @returns E.164 or bare digits; {@link NOT_POSSIBLE} for digits that make no number; null when none was said
 */
export function readPhoneDigits(text: string, region?: CountryCode): string | typeof NOT_POSSIBLE | null {
  const { digits, isInternational } = readDigits(text);
  // "I do not have one" tells no number.
  if (digits.length < FEWEST_DIGITS) return null;
  if (digits.length < SHORTEST_NUMBER || digits.length > LONGEST_NUMBER) return NOT_POSSIBLE;
  if (isInternational) return `+${digits}`;
  const national = region === undefined ? undefined : parsePhoneNumberFromString(digits, region);
  if (national?.isPossible()) return national.number;
  return region === undefined ? digits : NOT_POSSIBLE;
}
