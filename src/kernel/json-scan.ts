/** How deep what clients send may be nested: recursion has a bottom. */
export const DEEPEST_NESTING = 64;
export const TOO_DEEP = `is nested deeper than ${DEEPEST_NESTING} levels`;
/** Databases have no U+0000. */
export const NO_NUL = 'must not contain the character U+0000';
const NUL = '\u0000';
/** As many as one answer names. */
const MOST_PATHS = 100;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENERS = new Set([0x5b, 0x7b]);
const CLOSERS = new Set([0x5d, 0x7d]);

/** How deep a JSON text is nested, and whether a string in it contains U+0000; one pass, no recursion. */
export function scanJson(text: string): { depth: number; hasNul: boolean } {
  let level = 0;
  let depth = 0;
  let inString = false;
  let hasNul = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) inString = !inString;
    else if (inString) {
      if (character !== BACKSLASH) continue;
      index++;
      hasNul ||= text.startsWith('u0000', index);
    } else if (OPENERS.has(character)) depth = Math.max(depth, ++level);
    else if (CLOSERS.has(character)) level--;
  }
  return { depth, hasNul };
}

/** Whether a value that came from JSON without {@link scanJson} is nested too deeply; no recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < DEEPEST_NESTING; depth++) level = level.flatMap(partsOf);
  return level.some((part) => typeof part === 'object' && part !== null);
}

function partsOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/**
 * Where U+0000 is in what a JSON text meant, the first hundred places: the paths of texts, and of objects with such a
 * key. For what {@link scanJson} found not to be too deep.
 */
export function pathsOfNul(value: unknown): PropertyKey[][] {
  const found: PropertyKey[][] = [];
  const search = (part: unknown, path: PropertyKey[]): void => {
    if (found.length === MOST_PATHS) return;
    if (typeof part === 'string' && part.includes(NUL)) found.push(path);
    if (typeof part !== 'object' || part === null) return;
    if (!Array.isArray(part) && Object.keys(part).some((key) => key.includes(NUL))) found.push(path);
    for (const [key, item] of Object.entries(part))
      if (!key.includes(NUL)) search(item, [...path, Array.isArray(part) ? Number(key) : key]);
  };
  search(value, []);
  return found;
}
