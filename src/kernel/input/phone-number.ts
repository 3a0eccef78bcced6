import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/**
 * Separators between digits: blanks, brackets, points, any dash (word processors replace hyphens), and invisible
 * characters (address books put direction marks around numbers).
 */
const SEPARATORS = /[\s\p{Dash}\p{Cf}.()]/gu;
/** E.164: a plus sign and 7 to 15 digits, the first of them not 0. */
export const E164 = /^\+[1-9]\d{6,14}$/;
/**
 * A number without its separators. A text with anything else, such as an extension or a letter, is refused: the number
 * without it would belong to another person. A national number of four digits makes seven with a calling code.
 */
const PLUS_AND_DIGITS = /^\+?\d{4,}$/;
/** A trunk prefix in brackets after the calling code, dialled only within the country: `+44 (0)20 …`. */
const TRUNK_ZERO = /^[\s\p{Cf}]*(?:\+|00)?\s*[1-9]\d{0,2}[\s\p{Dash}.]*\(0\)/u;
/** A longer text is not a phone number. */
const MAX_CHARACTERS = 40;

/**
 * Parses a phone number from a request, a table or a carrier. The number is not checked against the numbering plan of
 * its country: plans refuse numbers for documentation and tests, such as +1 555 0100. Only for a trunk zero in brackets
 * the plan decides whether the zero is dialled from abroad (in Italy it is).
 * @param region the country of numbers in national format, such as `DE`. Without it, a number without `+` is taken to
 *   begin with its calling code.
 * @returns E.164, or null when the text is no phone number
 */
export function readPhoneNumber(text: string, region?: CountryCode): string | null {
  if (text.length > MAX_CHARACTERS) return null;
  const bare = text.replace(SEPARATORS, '').replace(/^00/, '+');
  if (!PLUS_AND_DIGITS.test(bare)) return null;
  if (TRUNK_ZERO.test(text)) {
    const parsed = parsePhoneNumberFromString(bare.startsWith('+') ? bare : `+${bare}`, { extract: false });
    return parsed && E164.test(parsed.number) ? parsed.number : null;
  }
  const national = region && !bare.startsWith('+') ? parsePhoneNumberFromString(bare, region) : undefined;
  const number = national?.number ?? (bare.startsWith('+') ? bare : `+${bare}`);
  return E164.test(number) ? number : null;
}
