import type { SpokenWord } from './tts.js';

/**
 * Converts the word times of a voice into times of the written words: "at 3:30" was read as "at three thirty". A
 * written word that was read in several words ends with the last of them.
 * @param read the text that the voice was given
 * @returns a function from the voice's words so far, in its own division, to the written words that have ended
 */
export function alignedWords(written: string, read: string): (told: readonly SpokenWord[]) => SpokenWord[] {
  const writtenWords = wordsOf(written);
  const readWords = wordsOf(read).map(plain);
  const lastRead = lastReadWords(writtenWords.map(plain), readWords);
  return (told) => {
    const ends = endsOf(readWords, told);
    const words = writtenWords.map((text, at) => ({ text, endMs: ends[lastRead[at]!] ?? null }));
    const open = words.findIndex(({ endMs }) => endMs === null);
    return words.slice(0, open < 0 ? words.length : open) as SpokenWord[];
  };
}

/** End times of the words whose last letter is covered by the voice's words. */
function endsOf(words: readonly string[], told: readonly SpokenWord[]): number[] {
  const ends: number[] = [];
  let [needed, at, letters] = [0, -1, 0];
  for (const word of words) {
    needed += word.length;
    while (letters < needed && at + 1 < told.length) letters += plain(told[++at]!.text).length;
    if (letters < needed || at < 0) break;
    ends.push(told[at]!.endMs);
  }
  return ends;
}

/** The words of a text, divided at blanks. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** For each written word, the index of its last read word. */
function lastReadWords(written: readonly string[], read: readonly string[]): number[] {
  // Most sentences are read as they are written.
  if (written.join(' ') === read.join(' ')) return written.map((_, at) => at);
  const anchors = commonWords(written, read);
  const last: number[] = [];
  let [fromWritten, fromRead] = [0, 0];
  for (const [toWritten, toRead] of [...anchors, [written.length, read.length] as const]) {
    const count = toWritten - fromWritten;
    // Between two words that are equal on both sides, the words in between share the sound evenly.
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

function plain(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
