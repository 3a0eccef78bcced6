import { toMatchText } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import type { ActionPhrasing } from './action-phrasings.js';

/** The text up to the end of a clause. */
const CLAUSE = /^[^.!?;]*/;

/**
 * A sentence of a transcript. Phrasings match its words in their plain form; results are the text as it was written,
 * with capitals and punctuation. `actionableItems` uses it.
 */
export class SpokenSentence {
  readonly #text: string;
  readonly #words: string;
  /** The start of each word in `#text`, by its start in `#words`. */
  readonly #places = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
    let words = '';
    for (const { 0: written, index } of text.matchAll(/\S+/g)) {
      this.#places.set(words.length, index);
      words += toMatchText(wordsOf(written));
    }
    this.#words = words;
  }

  /**
   * The first action that one of the phrasings announces, up to the end of its clause ("send me a copy"); null if there
   * is none.
   * @param isMeant tells whether a match counts, by the words before it and the words of the action
   */
  find(
    phrasings: readonly ActionPhrasing[],
    isMeant: (head: string, action: string) => boolean,
  ): string | null {
    for (const { ways, begins, lead = '' } of phrasings) {
      for (const match of this.#words.matchAll(ways)) {
        const at = begins === 'with' ? match.index : match.index + match[0].length;
        const textStart = this.#places.get(at);
        const counts =
          textStart !== undefined && isMeant(this.#words.slice(0, match.index), this.#words.slice(at));
        if (counts) return lead + CLAUSE.exec(this.#text.slice(textStart))![0];
      }
    }
    return null;
  }
}
