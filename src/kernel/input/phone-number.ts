import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/**
 * Blanks and the marks that people put between digits: any dash, which word processors make of a hyphen, and what is
 * not seen, such as the marks of direction around numbers that are copied out of address books.
 */
const SEPARATORS = /[\s\p{Dash}\p{Cf}.()]/gu;
/** E.164. Linear in the length of the text: no part of it can match the same character in two ways. */
export const E164 = /^\+[1-9]\d{6,14}$/;
/**
 * What is left of a number without its separators. Whatever else stands in the text, an extension or a letter, was not
 * written to be left out: the rest would be somebody else's number. Four digits are the fewest that a calling code can
 * make seven of.
 */
const PLUS_AND_DIGITS = /^\+?\d{4,}$/;
/** A zero that is dialled within the country only, as people write it behind the calling code: `+44 (0)20 …`. */
const HOME_ZERO = /^[\s\p{Cf}]*(?:\+|00)?\s*[1-9]\d{0,2}[\s\p{Dash}.]*\(0\)/u;
/** Nobody writes a number with more characters; longer texts are not looked at. */
const LONGEST_TEXT = 40;

/**
 * Reads a phone number as people write it (our choice; deliberately no check against numbering plans, which refuse
 * the numbers that documentation and tests use).
 * A zero in brackets is left out where the country's numbers have none from abroad, which a plan has to say.
 * @param region the country whose numbers may be written as they are there, such as `DE`. Without it a missing plus
 *   sign is simply put in front.
 * @returns `+` and digits (E.164), or null when the text is not a phone number
 */
export function readPhoneNumber(text: string, region?: CountryCode): string | null {
  if (text.length > LONGEST_TEXT) return null;
  const bare = text.replace(SEPARATORS, '').replace(/^00/, '+');
  if (!PLUS_AND_DIGITS.test(bare)) return null;
  if (HOME_ZERO.test(text)) {
    const known = parsePhoneNumberFromString(bare.startsWith('+') ? bare : `+${bare}`, { extract: false });
    return known && E164.test(known.number) ? known.number : null;
  }
  const national = region && !bare.startsWith('+') ? parsePhoneNumberFromString(bare, region) : undefined;
  const number = national?.number ?? (bare.startsWith('+') ? bare : `+${bare}`);
  return E164.test(number) ? number : null;
}
