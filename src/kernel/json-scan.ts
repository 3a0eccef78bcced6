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
