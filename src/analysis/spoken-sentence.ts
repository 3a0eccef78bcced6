import { spoken } from '#language/phrasing.js';
import { wordsOf } from '#language/words.js';
import type { ActionPhrasing } from './action-phrasings.js';

/** Up to the end of the clause. */
const CLAUSE = /^[^.!?;]*/;

/** A sentence whose words are matched by rules and returned as written. */
export class SpokenSentence {
  readonly #text: string;
  readonly #words: string;
  /** Start of each word in the text, by its start in `#words`. */
  readonly #places = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
    let words = '';
    for (const { 0: written, index } of text.matchAll(/\S+/g)) {
      this.#places.set(words.length, index);
      words += spoken(wordsOf(written));
    }
    this.#words = words;
  }

  /**
   * The first action requested in one of these phrasings, up to the end of its clause.
   * @param isMeant checks a match by the words before it and those of the action
   */
  find(
    phrasings: readonly ActionPhrasing[],
    isMeant: (head: string, action: string) => boolean,
  ): string | null {
    for (const { ways, begins, lead = '' } of phrasings) {
      for (const match of this.#words.matchAll(ways)) {
        const at = begins === 'with' ? match.index : match.index + match[0].length;
        const place = this.#places.get(at);
        const isWhole =
          place !== undefined && isMeant(this.#words.slice(0, match.index), this.#words.slice(at));
        if (isWhole) return lead + CLAUSE.exec(this.#text.slice(place))![0];
      }
    }
    return null;
  }
}
