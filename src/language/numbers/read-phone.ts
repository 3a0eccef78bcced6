import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readDigits, type SaidDigits } from './read-digits.js';

/** At least this many digits after a correction repeat the whole number; fewer replace the same count at the end. */
const WHOLE_NUMBER_DIGITS = 7;
const FEWEST_DIGITS = 3;
const SHORTEST_NUMBER = 7;
const LONGEST_NUMBER = 15;

/**
 * Reads a phone number.
 * @param region country of national numbers; without it only international numbers become E.164
 * @returns E.164 or bare digits; {@link NOT_POSSIBLE} for digits that are no number; null if there are none
 */
export function readPhoneDigits(text: string, region?: CountryCode): string | typeof NOT_POSSIBLE | null {
  const said = readDigits(text);
  const digits = said.groups.join('');
  // "I do not have one" contains no number.
  if (digits.length < FEWEST_DIGITS) return null;
  const apart = Array.from({ length: said.pairs }, (_pair, index) => readDigits(text, index));
  const ways = [said, ...apart].flatMap((one) => waysToCorrect(one, region));
  const numbers = ways.flatMap((way) => numberOf(way, region) ?? []);
  // "Twenty seven" may be 27 or 20 and 7: a valid number takes precedence.
  return (numbers.find(({ isValid }) => isValid) ?? numbers[0])?.number ?? NOT_POSSIBLE;
}

/** Number of digits so far, without corrected ones. */
export function digitsSoFar(text: string): number {
  return readDigits(text).groups.reduce(corrected, '').length;
}

interface Digits {
  digits: string;
  isInternational: boolean;
}

/** Possible readings of a number with corrections, the likeliest first. */
function waysToCorrect({ groups, isInternational }: SaidDigits, region: CountryCode | undefined): Digits[] {
  const usual = groups.reduce(corrected, '');
  const [first = '', second, ...more] = groups;
  const ways = [usual];
  if (second !== undefined && more.length === 0) ways.push(...restarts(first, second, region));
  return ways.map((digits) => ({ digits, isInternational }));
}

function corrected(digits: string, group: string): string {
  const kept = group.length < WHOLE_NUMBER_DIGITS ? digits.length - group.length : 0;
  return digits.slice(0, Math.max(0, kept)) + group;
}

/** "… two six seven, no, two six eight one": repeated from an earlier point that began with the same digit. */
function restarts(said: string, again: string, region: CountryCode | undefined): string[] {
  const starts = [...said].flatMap((digit, at) => (at > 0 && digit === again[0] ? [at] : []));
  return starts
    .map((at) => said.slice(0, at) + again)
    .filter((digits) => numberOf({ digits, isInternational: false }, region)?.isValid === true)
    .slice(0, 1);
}

function numberOf({ digits, isInternational }: Digits, region: CountryCode | undefined) {
  if (digits.length < SHORTEST_NUMBER || digits.length > LONGEST_NUMBER + 2) return null;
  // Callers dial a plus as two zeros, even in countries with another international prefix.
  const zeros = !isInternational && digits.startsWith('00') && !nationalNumber(digits, region);
  if (isInternational || zeros) {
    const number = `+${zeros ? digits.slice(2) : digits}`;
    if (number.length > LONGEST_NUMBER + 1) return null;
    return { number, isValid: parsePhoneNumberFromString(number)?.isValid() === true };
  }
  if (region === undefined) return digits.length > LONGEST_NUMBER ? null : { number: digits, isValid: false };
  const national = nationalNumber(digits, region);
  return national ? { number: national.number, isValid: national.isValid() } : null;
}

function nationalNumber(digits: string, region: CountryCode | undefined) {
  const national = region === undefined ? undefined : parsePhoneNumberFromString(digits, region);
  return national?.isPossible() ? national : undefined;
}
