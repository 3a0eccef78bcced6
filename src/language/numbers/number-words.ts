/*
 * Finds whole numbers and years among English words. All other readers of numbers, dates and times build on these
 * functions. Except `digitOf`, each takes the words of an utterance and the index of the word at which the number
 * begins, and returns null if none begins there.
 */

/** A number found among words. */
export interface NumberHit {
  value: number;
  /** True for "third", false for "three". */
  isOrdinal: boolean;
  /** How many words it has. */
  length: number;
}

const SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SMALL_ORDINALS = (
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth ' +
  'sixteenth seventeenth eighteenth nineteenth'
).split(' ');

const CARDINALS = new Map<string, number>([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);
const ORDINALS = new Map<string, number>([
  ...SMALL_ORDINALS.map((word, index) => [word, index + 1] as const),
  ...TENS.map((word, index) => [word.replace(/y$/, 'ieth'), (index + 2) * 10] as const),
]);

/** Words that repeat the digit after them: "double seven". */
export const REPEAT_WORDS: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
  ['treble', 3],
]);

/** One digit by its word, "oh" included; undefined for any other word. */
export function digitOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (word === 'oh' || word === 'o' || word === 'nought') return 0;
  if (/^\d$/.test(word)) return Number(word);
  const value = CARDINALS.get(word);
  return value !== undefined && value < 10 ? value : undefined;
}

/** A number of at most two digits that begins at a word: "seven", "twenty four", "24", "third". */
export function smallNumberAt(words: readonly string[], index: number): NumberHit | null {
  const word = words[index] ?? '';
  if (/^\d{1,2}$/.test(word)) return { value: Number(word), isOrdinal: false, length: 1 };
  const written = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word);
  if (written) return { value: Number(written[1]), isOrdinal: true, length: 1 };
  const ordinal = ORDINALS.get(word);
  if (ordinal !== undefined) return { value: ordinal, isOrdinal: true, length: 1 };
  const value = CARDINALS.get(word);
  if (value === undefined) return null;
  if (value < 20) return { value, isOrdinal: false, length: 1 };
  const next = words[index + 1] ?? '';
  const ones = CARDINALS.get(next) ?? 0;
  if (ones > 0 && ones < 10) return { value: value + ones, isOrdinal: false, length: 2 };
  const lastOrdinal = ORDINALS.get(next) ?? 0;
  if (lastOrdinal > 0 && lastOrdinal < 10) return { value: value + lastOrdinal, isOrdinal: true, length: 2 };
  return { value, isOrdinal: false, length: 1 };
}

/** A cardinal of any size that begins at a word: "two thousand and five", "a hundred", "1200"; else null. */
export function numberAt(words: readonly string[], index: number): NumberHit | null {
  let at = index;
  let total = 0;
  let lastScale = Infinity;
  for (;;) {
    const part = belowThousand(words, at);
    if (!part) break;
    const scale = SCALES.get(words[at + part.length] ?? '') ?? 1;
    // "Two thousand three thousand" is two numbers.
    if (scale >= lastScale) break;
    total += part.value * scale;
    at += part.length + (scale > 1 ? 1 : 0);
    lastScale = scale;
    if (scale === 1) break;
    if (words[at] === 'and' && belowThousand(words, at + 1)) at += 1;
  }
  return at === index ? null : { value: total, isOrdinal: false, length: at - index };
}

const SCALES: ReadonlyMap<string, number> = new Map([
  ['thousand', 1_000],
  ['grand', 1_000],
  ['million', 1_000_000],
]);

/** A part of a cardinal before "thousand" or "million": "two hundred and five", "a hundred", or figures of any size. */
function belowThousand(words: readonly string[], index: number): { value: number; length: number } | null {
  const word = words[index] ?? '';
  if (/^\d{1,9}$/.test(word)) return { value: Number(word), length: 1 };
  const isArticle = word === 'a' && /^(?:hundred|thousand|grand|million)$/.test(words[index + 1] ?? '');
  // "Hundred and five" omits "one" or "a".
  const isBare = word === 'hundred' && words[index + 1] === 'and' && smallNumberAt(words, index + 2) !== null;
  const impliedOne = { value: 1, isOrdinal: false, length: isBare ? 0 : 1 };
  const head = isArticle || isBare ? impliedOne : smallNumberAt(words, index);
  if (!head || head.isOrdinal) return null;
  let at = index + head.length;
  if (words[at] !== 'hundred') return { value: head.value, length: head.length };
  at += 1;
  const rest = smallNumberAt(words, words[at] === 'and' ? at + 1 : at);
  if (!rest || rest.isOrdinal) return { value: head.value * 100, length: at - index };
  const joined = words[at] === 'and' ? at + 1 : at;
  return { value: head.value * 100 + rest.value, length: joined + rest.length - index };
}

/** A year as it is spoken: "nineteen eighty five", "twenty twenty six", "two thousand and six", "1985"; else null. */
export function yearAt(words: readonly string[], index: number): { value: number; length: number } | null {
  const word = words[index] ?? '';
  // In figures, from 1500 to 2099.
  if (/^(?:1[5-9]|20)\d\d$/.test(word)) return { value: Number(word), length: 1 };
  const century = CARDINALS.get(word);
  if (century === 19 || century === 20) return yearOfCentury(words, index, century);
  const whole = numberAt(words, index);
  const isYear =
    whole !== null && whole.value >= 1900 && whole.value < 2100 && words[index + 1] === 'thousand';
  return isYear ? { value: whole.value, length: whole.length } : null;
}

/** A year with its century: "nineteen oh five", "nineteen hundred and five", "nineteen eighty four". */
function yearOfCentury(words: readonly string[], index: number, century: number) {
  const isOh = words[index + 1] === 'oh' || words[index + 1] === 'o';
  const digit = isOh ? digitOf(words[index + 2]) : undefined;
  if (digit !== undefined) return { value: century * 100 + digit, length: 3 };
  if (words[index + 1] === 'hundred') {
    const at = words[index + 2] === 'and' ? index + 3 : index + 2;
    const rest = smallNumberAt(words, at);
    if (rest && !rest.isOrdinal)
      return { value: century * 100 + rest.value, length: at + rest.length - index };
    return { value: century * 100, length: 2 };
  }
  const rest = smallNumberAt(words, index + 1);
  if (!rest || rest.isOrdinal || rest.value < 10) return null;
  return { value: century * 100 + rest.value, length: 1 + rest.length };
}

/** A year without its century, if it is neither a day, a time nor a count: "eighty four", not "ten thirty". */
export function shortYearAt(words: readonly string[], index: number): NumberHit | null {
  const year = smallNumberAt(words, index);
  const hasUnit = /^(?:am|pm|oclock|minutes?|hundred|thousand|people|percent|and|point)$/.test(
    words[index + (year?.length ?? 0)] ?? '',
  );
  return year && !year.isOrdinal && year.value > 31 && !hasUnit ? year : null;
}
