// Finds values in JSON texts of clients that cannot be stored and returned unchanged: invalid characters, numbers
// beyond double precision, and too deep nesting.

/** The deepest permitted nesting of JSON from clients: code that recurses over it needs a bound. */
export const MAX_NESTING = 64;
/** The message for a too deep value. */
export const TOO_DEEP = `is nested deeper than ${MAX_NESTING} levels`;
/** PostgreSQL cannot store U+0000. */
export const NO_NUL = 'must not contain the character U+0000';
const NUL = '\u0000';
/** A lone surrogate is valid in JSON and in JavaScript strings, but not in UTF-8. */
const BAD_CHARACTER = /\0|\p{Surrogate}/u;
const LONE_SURROGATE = 'must not contain half of a surrogate pair';
const BEYOND = 'is beyond the largest number';
const INEXACT = 'has more digits than a number keeps: send it as a text';
/** Whole numbers of up to this many digits are exact in a double. */
const EXACT_DIGITS = 15;
/** The most flaws that one response lists. */
const MAX_FLAWS = 100;
/** A number with more digits may exceed the largest double, which has 309 digits. */
const MAX_DIGITS = 308;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
const OPENERS = new Set([0x5b, 0x7b]);
const CLOSERS = new Set([0x5d, 0x7d]);
const EXPONENTS = new Set([0x45, 0x65]);
const BAD_ESCAPE = /u(?:0000|d[89a-f])/iy;

/** A value in a JSON text that cannot be stored and returned unchanged. */
export interface Flaw {
  path: PropertyKey[];
  code: 'invalid_character' | 'too_big';
  /** Continues a sentence that begins with the name of the field. */
  message: string;
}

/** Result of one pass over a JSON text. */
export interface JsonScan {
  /** The deepest nesting. */
  depth: number;
  /** True if the value may have flaws; then {@link flawsOf} finds them. */
  isSuspect: boolean;
  /** Values of whole numbers that a double does not hold exactly. */
  inexact: ReadonlySet<number>;
}

/**
 * Scans a valid JSON text in one pass without recursion. Cheap for the usual text without suspicious places: only a
 * suspect text needs {@link flawsOf}.
 */
export function scanJson(text: string): JsonScan {
  const inexact = new Set<number>();
  let level = 0;
  let depth = 0;
  let digits = 0;
  let inString = false;
  let isSuspect = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) inString = !inString;
    else if (inString) {
      if (character !== BACKSLASH) continue;
      index++;
      BAD_ESCAPE.lastIndex = index;
      isSuspect ||= BAD_ESCAPE.test(text);
    } else if (character >= ZERO && character <= NINE) {
      digits++;
      isSuspect ||= digits > MAX_DIGITS;
    } else {
      if (OPENERS.has(character)) depth = Math.max(depth, ++level);
      else if (CLOSERS.has(character)) level--;
      else isSuspect ||= digits > 0 && EXPONENTS.has(character);
      if (digits > EXACT_DIGITS) noteInexact(text, { from: index - digits, to: index }, inexact);
      digits = 0;
    }
  }
  if (digits > EXACT_DIGITS) noteInexact(text, { from: text.length - digits, to: text.length }, inexact);
  return { depth, isSuspect: isSuspect || inexact.size > 0, inexact };
}

/** Adds a whole number whose digits a double does not hold exactly. Fractions are expected to be rounded. */
function noteInexact(text: string, { from, to }: { from: number; to: number }, inexact: Set<number>): void {
  if (/[.eE]/.test(text.charAt(to)) || /(?:[.eE]|[eE][+-])$/.test(text.slice(Math.max(0, from - 2), from)))
    return;
  const digits = text.slice(from, to);
  if (String(Number(digits)) !== digits) inexact.add(Number(digits));
}

/** True for a value deeper than {@link MAX_NESTING}, for JSON that {@link scanJson} has not scanned. No recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_NESTING; depth++) level = level.flatMap(childrenOf);
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
 * The first hundred flaws of a parsed JSON value. A flaw of a key is reported at its object. The value must not be too
 * deep; without a suspicion of {@link scanJson} there are no flaws.
 * @param inexact see {@link JsonScan}
 */
export function flawsOf(value: unknown, inexact: JsonScan['inexact']): Flaw[] {
  const found: Flaw[] = [];
  const search = (part: unknown, path: PropertyKey[]): void => {
    if (found.length === MAX_FLAWS) return;
    const own = ownFlawOf(part, inexact);
    if (own) found.push({ path, ...own });
    if (typeof part !== 'object' || part === null) return;
    for (const [key, item] of Object.entries(part))
      if (badCharacterOf(key) === null) search(item, [...path, Array.isArray(part) ? Number(key) : key]);
  };
  search(value, []);
  return found;
}

function ownFlawOf(part: unknown, inexact: JsonScan['inexact']): Omit<Flaw, 'path'> | null {
  if (typeof part === 'number') {
    if (!Number.isFinite(part)) return { code: 'too_big', message: BEYOND };
    return inexact.has(Math.abs(part)) ? { code: 'too_big', message: INEXACT } : null;
  }
  const texts = typeof part === 'string' ? [part] : Array.isArray(part) ? [] : Object.keys(part ?? {});
  const message = texts.map(badCharacterOf).find((bad) => bad !== null) ?? null;
  return message === null ? null : { code: 'invalid_character', message };
}
