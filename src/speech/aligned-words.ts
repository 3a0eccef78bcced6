import type { SpokenWord } from './tts.js';

/**
 * Converts the word times of a voice, which refer to the text that it read, into times of the written words: "at 3:30"
 * was read as "at three thirty". A written word that was read as several words ends with the last of these. Used by
 * `withSpeakableText`.
 * @param read the text that the voice was given
 * @returns a function that takes the voice's words so far, as the voice divides them, and returns the written words
 * that have ended
 */
export function alignedWords(
  written: string,
  read: string,
): (spokenWords: readonly SpokenWord[]) => SpokenWord[] {
  const writtenWords = wordsOf(written);
  const readWords = wordsOf(read).map(lettersOf);
  const lastRead = lastReadWordIndexes(writtenWords.map(lettersOf), readWords);
  return (spokenWords) => {
    const ends = endTimesOf(readWords, spokenWords);
    const words = writtenWords.map((text, at) => ({ text, endMs: ends[lastRead[at]!] ?? null }));
    const firstUnended = words.findIndex(({ endMs }) => endMs === null);
    return words.slice(0, firstUnended < 0 ? words.length : firstUnended) as SpokenWord[];
  };
}

/**
 * End times in milliseconds of the words whose last letter the voice's words cover. Letters are counted because a voice
 * may divide words otherwise: "thirty five" for "thirty-five".
 */
function endTimesOf(words: readonly string[], spokenWords: readonly SpokenWord[]): number[] {
  const ends: number[] = [];
  let [neededLetters, at, coveredLetters] = [0, -1, 0];
  for (const word of words) {
    neededLetters += word.length;
    while (coveredLetters < neededLetters && at + 1 < spokenWords.length)
      coveredLetters += lettersOf(spokenWords[++at]!.text).length;
    if (coveredLetters < neededLetters || at < 0) break;
    ends.push(spokenWords[at]!.endMs);
  }
  return ends;
}

/** The words of a text, divided at white space. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** For each written word, the index of its last read word: [0, 2] for "at 3:30", read as "at three thirty". */
function lastReadWordIndexes(written: readonly string[], read: readonly string[]): number[] {
  // Most sentences are read as they are written.
  if (written.join(' ') === read.join(' ')) return written.map((_, at) => at);
  const anchors = commonWords(written, read);
  const last: number[] = [];
  let [fromWritten, fromRead] = [0, 0];
  for (const [toWritten, toRead] of [...anchors, [written.length, read.length] as const]) {
    const count = toWritten - fromWritten;
    // Written words between two words that are equal on both sides share the read words there evenly.
    for (let at = 0; at < count; at += 1) {
      const share = Math.ceil(((at + 1) * (toRead - fromRead)) / count);
      last.push(Math.max(0, fromRead + share - 1));
    }
    if (toWritten < written.length) last.push(toRead);
    [fromWritten, fromRead] = [toWritten + 1, toRead + 1];
  }
  return last;
}

/** The longest common subsequence of words, as pairs of indexes. */
function commonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  // `lengths[i][j]`: the length of the subsequence of the words from `i` in `a` and from `j` in `b`.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i]![j] =
        a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** The letters and digits of a word, in lower case: `Hello,` becomes `hello`. */
function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
