import { digitOf, smallNumberAt, REPEAT_WORDS } from './number-words.js';
import { spokenWords } from '#language/spoken-words.js';

/** Words of correction, after which the caller repeats some or all digits. */
const CORRECTIONS = new Set(['no', 'sorry', 'wait', 'mean', 'meant', 'actually', 'correction', 'rather']);
/** Words before an extension, which is no part of the number. */
const EXTENSION = /^(?:extension|ext)$/;
/** Zeros that a scale stands for in a phone number: "eight hundred". */
const SCALES: ReadonlyMap<string, string> = new Map([
  ['hundred', '00'],
  ['thousand', '000'],
]);

/** The digits of an utterance. */
export interface SaidDigits {
  /** The digits, split at words of correction. */
  groups: readonly string[];
  /** True after "plus" at the beginning. */
  isInternational: boolean;
  /** The number of pairs, numbers of two words: "twenty three" may mean 23, or 20 and 3. */
  pairs: number;
}

/**
 * Reads the digits of a spoken phone number in English: single digits, "double seven", "oh", "twenty three". Used by
 * `readPhoneDigits`.
 * @param splitPair the index, from 0, of the pair ("twenty three") that is read as 20 and 3 instead of 23; -1 for none
 */
export function readDigits(text: string, splitPair = -1): SaidDigits {
  const words = spokenWords(text.replace(/\+/g, ' plus '));
  const groups = [''];
  let isInternational = false;
  let pairs = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const group = groups.at(-1)!;
    if (EXTENSION.test(word)) break;
    if (CORRECTIONS.has(word) && group !== '') groups.push('');
    if (word === 'plus' && group === '' && groups.length === 1) isInternational = true;
    const part = partAt(words, index, pairs === splitPair);
    if (!part) continue;
    pairs += part.isPair ? 1 : 0;
    groups[groups.length - 1] += part.digits;
    index += part.length - 1;
  }
  return { groups: groups.filter((group) => group !== ''), isInternational, pairs };
}

/** Digits found at a word. */
interface FoundDigits {
  digits: string;
  length: number;
  isPair: boolean;
}

/** The digits that begin at the word `index`; null if there are none. */
function partAt(words: readonly string[], index: number, isSplit: boolean): FoundDigits | null {
  const word = words[index]!;
  const times = REPEAT_WORDS.get(word);
  const repeated = times === undefined ? undefined : digitOf(words[index + 1]);
  if (times !== undefined && repeated !== undefined)
    return { digits: String(repeated).repeat(times), length: 2, isPair: false };
  if (/^\d+$/.test(word)) return { digits: word, length: 1, isPair: false };
  const digit = word === 'niner' ? 9 : digitOf(word);
  const small =
    digit === undefined ? smallNumberAt(words, index) : { value: digit, length: 1, isOrdinal: false };
  if (!small || small.isOrdinal) return null;
  const isPair = small.length === 2;
  const [value, length] =
    isPair && isSplit ? [small.value - (small.value % 10), 1] : [small.value, small.length];
  const scale = SCALES.get(words[index + length] ?? '') ?? '';
  return { digits: `${value}${scale}`, length: length + (scale === '' ? 0 : 1), isPair };
}
