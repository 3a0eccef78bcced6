import { readFileSync } from 'node:fs';

const HEADER = 'Trie Language Model';
/** Weights of pairs are numbers into tables of this many. */
const TABLE_ENTRIES = 65_536;
const TABLE_BITS = 16;
const UNIGRAM_BYTES = 12;
/** The file's logarithms have this base. */
const LOG_BASE = Math.log(1.0001);

/**
 * Reads words and word pairs of a language model in CMU Sphinx's binary form (a trie of three orders, quantised; the
 * order in which SphinxBase's `lm_trie.c` writes it).
 * @returns {{ words: string[], of(word: number): { logProbability: number, logBackOff: number },
 *   before(word: number): { word: number, logProbability: number }[] }} words are named by their place in `words`;
 *   `before` gives the words that are known to stand before one, with its probability after them. Natural logarithms.
 */
export function readSphinxModel(path) {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, HEADER.length) !== HEADER || bytes[HEADER.length] !== 3)
    throw new Error(`${path} is no trie of three orders`);
  const countsAt = HEADER.length + 1;
  const [words, pairs, triples] = [0, 4, 8].map((offset) => bytes.readUInt32LE(countsAt + offset));
  const pairWeightsAt = countsAt + 12 + 4;
  const wordsAt = pairWeightsAt + 3 * 4 * TABLE_ENTRIES;
  const pairsAt = wordsAt + UNIGRAM_BYTES * (words + 1);
  const wordBits = bitsOf(words);
  const pairBits = wordBits + 2 * TABLE_BITS + bitsOf(triples);
  const sizeOf = (entries, bits) => Math.floor(((1 + entries) * bits + 7) / 8) + 8;
  const textAt = pairsAt + sizeOf(pairs, pairBits) + sizeOf(triples, wordBits + TABLE_BITS);

  const number = (atBit, bits) =>
    Number(
      (bytes.readBigUInt64LE(pairsAt + (atBit >> 3)) >> BigInt(atBit & 7)) & ((1n << BigInt(bits)) - 1n),
    );
  const log = (at) => bytes.readFloatLE(at) * LOG_BASE;
  const firstPair = (word) => bytes.readUInt32LE(wordsAt + UNIGRAM_BYTES * word + 8);
  return {
    words: bytes
      .toString('latin1', textAt + 4, textAt + 4 + bytes.readUInt32LE(textAt))
      .split('\0')
      .slice(0, words),
    of: (word) => ({
      logProbability: log(wordsAt + UNIGRAM_BYTES * word),
      logBackOff: log(wordsAt + UNIGRAM_BYTES * word + 4),
    }),
    before(word) {
      const found = [];
      for (let pair = firstPair(word); pair < firstPair(word + 1); pair++) {
        const at = pair * pairBits;
        const weight = number(at + wordBits + TABLE_BITS, TABLE_BITS);
        found.push({ word: number(at, wordBits), logProbability: log(pairWeightsAt + 4 * weight) });
      }
      return found;
    },
  };
}

function bitsOf(largest) {
  return Math.floor(Math.log2(largest)) + 1;
}
