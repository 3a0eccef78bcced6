import { meantOf, type Mention } from './mentions.js';
import { digitOf, numberAt } from './number-words.js';
import { spokenWords } from './spoken-words.js';

/** Words before "one" that make it no number: "that one", "no one". */
const NO_NUMBER_BEFORE_ONE = /^(?:that|this|which|no|any|the|some|every|first|last|other|another)$/;
const NUMBER_LIKE: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['couple', 2],
  ['dozen', 12],
  ['twice', 2],
  ['once', 1],
]);

/** Reads a number; null when none is said, or it stays open which. */
export function readNumber(text: string): number | null {
  // "9/10" is nine.
  const words = spokenWords(text.replace(/(\d)\s*\/\s*\d+/g, '$1'));
  const mentions: Mention<number>[] = [];
  for (let index = 0; index < words.length; index += 1) {
    // "Eight out of ten": what it is counted against.
    if (words[index] === 'of' && words[index - 1] === 'out' && mentions.length > 0) break;
    const mention = mentionAt(words, index);
    if (!mention) continue;
    mentions.push(mention);
    index = mention.end - 1;
  }
  return meantOf(words, mentions)?.value ?? null;
}

function mentionAt(words: readonly string[], start: number): Mention<number> | null {
  if (words[start] === 'one' && NO_NUMBER_BEFORE_ONE.test(words[start - 1] ?? '')) return null;
  const sign = /^(?:minus|negative)$/.test(words[start - 1] ?? '') ? -1 : 1;
  const like = NUMBER_LIKE.get(words[start]!);
  if (like !== undefined) return { value: like, start, end: start + 1 };
  const whole = digitsAt(words, start) ?? numberAt(words, start) ?? ohAt(words, start);
  if (!whole) return words[start] === 'half' ? { value: 0.5, start, end: start + 1 } : null;
  const end = start + whole.length;
  const fraction = fractionAt(words, end);
  return { value: sign * (whole.value + fraction.value), start, end: end + fraction.length };
}

function ohAt(words: readonly string[], index: number) {
  return digitOf(words[index]) === 0 ? { value: 0, length: 1 } : null;
}

/** "Four two" is 42: two digits or more in a row. */
function digitsAt(words: readonly string[], start: number): { value: number; length: number } | null {
  let end = start;
  while (digitOf(words[end]) !== undefined) end += 1;
  const isFollowedByScale = /^(?:hundred|thousand|million)$/.test(words[end] ?? '');
  if (end - start < 2 || end - start > 9 || isFollowedByScale) return null;
  const value = Number(words.slice(start, end).map(digitOf).join(''));
  return { value, length: end - start };
}

/** "… point five", "… and a half". */
function fractionAt(words: readonly string[], start: number): { value: number; length: number } {
  if (words[start] === 'and' && words[start + 1] === 'a' && words[start + 2] === 'half')
    return { value: 0.5, length: 3 };
  if (words[start] !== 'point') return { value: 0, length: 0 };
  let end = start + 1;
  let digits = '';
  while (/^\d+$/.test(words[end] ?? '') || digitOf(words[end]) !== undefined) {
    digits += digitOf(words[end]) ?? words[end];
    end += 1;
  }
  return digits === '' ? { value: 0, length: 0 } : { value: Number(`0.${digits}`), length: end - start };
}
