// Finds values in JSON texts of clients that cannot be stored and returned unchanged: invalid characters, numbers
// beyond double precision, and too deep nesting. Used for request bodies, fields in JSON of a form or a query, and the
// answers of lookups.

/** The deepest permitted nesting of JSON from clients: code that recurses over it needs a bound. */
export const MAX_NESTING = 64;
/** The message for a value with deeper nesting. */
export const TOO_DEEP = `is nested deeper than ${MAX_NESTING} levels`;
/** PostgreSQL cannot store U+0000. */
export const NO_NUL = 'must not contain the character U+0000';
const NUL = '\u0000';
/** A lone surrogate is valid in JSON and in JavaScript strings, but not in UTF-8. */
const BAD_CHARACTER = /\0|\p{Surrogate}/u;
const LONE_SURROGATE = 'must not contain half of a surrogate pair';
const BEYOND_MAXIMUM = 'is beyond the largest number';
const INEXACT = 'has more digits than a number keeps: send it as a text';
/** The most flaws that one response lists. */
const MAX_FLAWS = 100;
/**
 * Matches text that may have a flaw: an escaped NUL or surrogate, an exponent, or 16 digits (a double holds any 15).
 */
const SUSPECT = /\\u(?:0000|d[89a-f])|\de|\d{16}/i;
/** A whole number of 16 or more digits, which a double may not hold exactly. Clients expect fractions to be rounded. */
const LONG_NUMBER = /(?<![\d.e]|e[+-])\d{16,}(?![\d.e])/gi;

/** A value in a JSON text that cannot be stored and returned unchanged. */
export interface Flaw {
  path: PropertyKey[];
  code: 'invalid_character' | 'too_big';
  /** Continues a sentence that begins with the name of the field. */
  message: string;
}

/** True if a valid JSON text may have flaws, a quick test; {@link flawsOf} then finds out. */
export function mayHaveFlaws(text: string): boolean {
  return SUSPECT.test(text);
}

/** True for a value nested deeper than `maxLevels`. It goes level by level: recursion would overflow the stack. */
export function isTooDeep(value: unknown, maxLevels = MAX_NESTING): boolean {
  let level = [value];
  for (let depth = 0; depth < maxLevels; depth++) level = level.flatMap(childrenOf);
  return level.some((part) => typeof part === 'object' && part !== null);
}

function childrenOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** The error for a text with a character that cannot be stored; null for a valid text. */
export function badCharacterOf(text: string): string | null {
  const found = BAD_CHARACTER.exec(text)?.[0];
  if (found === undefined) return null;
  return found === NUL ? NO_NUL : LONE_SURROGATE;
}

/**
 * The first hundred flaws of a parsed JSON value, which must not be too deep. A flaw of a key is reported at its
 * object.
 * @param text the JSON text of the value, for whole numbers that a double does not hold exactly: parsing has already
 *   rounded them. Without the text they are not found.
 */
export function flawsOf(value: unknown, text = ''): Flaw[] {
  // Numbers of the text that were rounded, by the value after rounding, which `value` contains.
  const inexact = new Set(
    [...withoutStrings(text).matchAll(LONG_NUMBER)]
      .filter(([digits]) => String(Number(digits)) !== digits)
      .map(([digits]) => Number(digits)),
  );
  const found: Flaw[] = [];
  const search = (part: unknown, path: PropertyKey[]): void => {
    if (found.length === MAX_FLAWS) return;
    const flaw = ownFlawOf(part, inexact);
    if (flaw) found.push({ path, ...flaw });
    if (typeof part !== 'object' || part === null) return;
    for (const [key, item] of Object.entries(part))
      if (badCharacterOf(key) === null) search(item, [...path, Array.isArray(part) ? Number(key) : key]);
  };
  search(value, []);
  return found;
}

/**
 * A valid JSON text with all strings empty. It is split at the quotes: a pattern for whole strings would overflow the
 * stack on a long one.
 */
function withoutStrings(text: string): string {
  const parts = text.replaceAll(/\\./g, '').split('"');
  return parts.filter((_, index) => index % 2 === 0).join('""');
}

/** The flaw of a value itself, without those of its parts; null if it has none. */
function ownFlawOf(part: unknown, inexact: ReadonlySet<number>): Omit<Flaw, 'path'> | null {
  if (typeof part === 'number') {
    if (!Number.isFinite(part)) return { code: 'too_big', message: BEYOND_MAXIMUM };
    // The digits in the text are without their sign.
    return inexact.has(Math.abs(part)) ? { code: 'too_big', message: INEXACT } : null;
  }
  const texts = typeof part === 'string' ? [part] : Array.isArray(part) ? [] : Object.keys(part ?? {});
  const message = texts.map(badCharacterOf).find((bad) => bad !== null) ?? null;
  return message === null ? null : { code: 'invalid_character', message };
}
