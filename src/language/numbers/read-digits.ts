import { digitOf, smallNumberAt, TIMES } from './number-words.js';
import { spokenWords } from '#language/spoken-words.js';

/** Words before the correction of a wrong digit. */
const CORRECTIONS = new Set(['no', 'sorry', 'wait', 'mean', 'meant', 'actually', 'correction', 'rather']);
/** The digits that follow are an extension, not part of the number. */
const EXTENSION = /^(?:extension|ext)$/;
const SCALES: ReadonlyMap<string, string> = new Map([
  ['hundred', '00'],
  ['thousand', '000'],
]);

export interface SaidDigits {
  /** The digits between corrections. */
  groups: readonly string[];
  isInternational: boolean;
  /** How many numbers like "twenty three" there are. */
  pairs: number;
}

/**
 * The digits of an utterance, including "double seven", "oh" and "twenty three".
 * @param apart index, from 0, of the number like "twenty three" that is read as 20 and 3 instead of 23
 */
export function readDigits(text: string, apart = -1): SaidDigits {
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
    const part = partAt(words, index, pairs === apart);
    if (!part) continue;
    pairs += part.isPair ? 1 : 0;
    groups[groups.length - 1] += part.digits;
    index += part.length - 1;
  }
  return { groups: groups.filter((group) => group !== ''), isInternational, pairs };
}

interface Part {
  digits: string;
  length: number;
  isPair: boolean;
}

function partAt(words: readonly string[], index: number, isApart: boolean): Part | null {
  const word = words[index]!;
  const times = TIMES.get(word);
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
    isPair && isApart ? [small.value - (small.value % 10), 1] : [small.value, small.length];
  const scale = SCALES.get(words[index + length] ?? '') ?? '';
  return { digits: `${value}${scale}`, length: length + (scale === '' ? 0 : 1), isPair };
}
