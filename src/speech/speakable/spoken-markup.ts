import type { SpokenRule } from './spoken-rule.js';

/** The usual named character entities of HTML; those of signs that are not said are blanks. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: "'",
  rsquo: "'",
  ldquo: '"',
  rdquo: '"',
  euro: '€',
  pound: '£',
  deg: '°',
  frac12: '½',
  copy: ' ',
  reg: ' ',
  trade: ' ',
};
const LARGEST_CODE_POINT = 0x10ffff;

/**
 * Rules of `speakableText`, for all languages, that remove markup, which is meant for screens: HTML entities and tags,
 * and links of markdown.
 */
export const MARKUP_RULES: readonly SpokenRule[] = [
  // "&amp;", "&#38;" and "&#x26;".
  {
    written: /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+\d*));/gi,
    said: (written, decimal, hexadecimal, name) => characterOf(decimal, hexadecimal, name) ?? written,
  },
  // "[our site](https://example.com)" and "![our house](house.png)": only the text in brackets is said.
  { written: /!?\[([^[\]\n]*)\]\([^()\s]*\)/g, said: '$1' },
  { written: /<\/?[a-z][^<>]*>/gi, said: ' ' },
];

/** The character of an entity, of which one part is given; null for an unknown one. */
function characterOf(decimal?: string, hexadecimal?: string, name?: string): string | null {
  if (name !== undefined) return ENTITIES[name] ?? null;
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return code <= LARGEST_CODE_POINT ? String.fromCodePoint(code) : null;
}
