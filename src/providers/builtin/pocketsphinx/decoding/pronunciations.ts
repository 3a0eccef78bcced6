import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { toPhones } from '#language/letter-sounds.js';

/** Limit of pronunciations per word; more are rare and slow the search down. */
const MAX_VARIANTS = 4;
/** Cache size: more words than the playbooks of one service have, because calls add names of people. */
const MAX_CACHED_WORDS = 20_000;

/**
 * Looks up pronunciations in the engine's English dictionary (CMU, 134,000 entries) word by word, for decoders. A
 * decoder with only the words of its grammars takes 10 MB and 30 ms, one with the whole dictionary 30 MB and 200 ms.
 * The pronunciation of a missing word is derived from its spelling.
 */
export class Pronunciations {
  readonly #dictionary: Buffer;
  /** The offset at which the words with each first letter begin: the dictionary is sorted by first letter. */
  readonly #starts = new Map<string, number>();
  readonly #cache = new LRUCache<string, readonly string[]>({ max: MAX_CACHED_WORDS });

  /** @param dictionary lines of a word and its phones; further pronunciations are `word(2)` and so on */
  constructor(dictionary: Buffer) {
    this.#dictionary = dictionary;
    let at = 0;
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      at = Math.max(at, dictionary.indexOf(`\n${letter}`, at));
      this.#starts.set(letter, at);
    }
  }

  /** Reads the dictionary file; about 3 MB, kept as bytes. */
  static async load(path: string): Promise<Pronunciations> {
    return new Pronunciations(await readFile(path));
  }

  /** The pronunciations of a word in the engine's phones, the usual one first; empty for a word without a sound. */
  of(word: string): readonly string[] {
    const cached = this.#cache.get(word);
    if (cached) return cached;
    const listed = this.#lookUp(word);
    const pronunciations = listed.length > 0 ? listed : [toPhones(word)].filter((phones) => phones !== '');
    this.#cache.set(word, pronunciations);
    return pronunciations;
  }

  /**
   * The pronunciations in the dictionary: the entries `word`, `word(2)` and so on, in this order. Searches the section
   * of the word's first letter.
   */
  #lookUp(word: string): string[] {
    const variants: string[] = [];
    let from = this.#starts.get(word.charAt(0)) ?? 0;
    const until = this.#starts.get(String.fromCharCode(word.charCodeAt(0) + 1)) ?? this.#dictionary.length;
    const section = this.#dictionary.subarray(0, until + 1);
    for (let variant = 1; variant <= MAX_VARIANTS; variant++) {
      const entry = `\n${variant === 1 ? word : `${word}(${variant})`} `;
      const at = section.indexOf(entry, from);
      if (at < 0) break;
      const end = this.#dictionary.indexOf('\n', at + 1);
      variants.push(this.#dictionary.toString('latin1', at + entry.length, end < 0 ? undefined : end).trim());
      from = at;
    }
    return variants;
  }
}
