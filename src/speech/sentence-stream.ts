import { endOfFirstClause, LONGEST_PIECE, sentencesOf, splitSentences } from './sentences.js';

/** A piece without any of these makes no sound, and some voices refuse it. */
const SPEAKABLE = /[\p{L}\p{N}]/u;

/**
 * Cuts streamed text into pieces to be spoken: the first clause of the turn as soon as it is complete, then sentences.
 * A sentence is complete when the next one begins, because "Dr." and "3." end none.
 */
export class SentenceStream {
  #text = '';
  #isFirst = true;

  /** True while text waits for the end of its sentence. */
  get isWaiting(): boolean {
    return SPEAKABLE.test(this.#text);
  }

  /** The text that waits. */
  get rest(): string {
    return this.#text;
  }

  /** @returns the pieces that are complete now */
  push(delta: string): string[] {
    this.#text += delta;
    return [...this.#firstClause(), ...this.#sentences()];
  }

  /** @returns the rest: no more text belongs to it */
  flush(): string[] {
    const rest = this.#isFirst ? splitSentences(this.#text) : splitSentences(this.#text, { isFirst: false });
    this.#text = '';
    return this.#give(rest);
  }

  #firstClause(): string[] {
    if (!this.#isFirst) return [];
    const end = endOfFirstClause(this.#text);
    return end === null ? [] : this.#give([this.#take(end)]);
  }

  #sentences(): string[] {
    const sentences = sentencesOf(this.#text);
    const open = sentences.pop() ?? '';
    const isLong = open.length > LONGEST_PIECE;
    if (sentences.length === 0 && !isLong) return [];
    const pieces = [...sentences, ...(isLong ? [open] : [])].flatMap((one) =>
      splitSentences(one, { isFirst: this.#isFirst }),
    );
    // All pieces of a sentence that is too long are spoken except the last one, which may grow.
    const kept = isLong ? (pieces.pop() ?? '') : open;
    const trailing = /\s*$/.exec(this.#text)![0];
    this.#text = kept + trailing;
    return this.#give(pieces);
  }

  #take(end: number): string {
    const piece = this.#text.slice(0, end).trim();
    this.#text = this.#text.slice(end).trimStart();
    return piece;
  }

  #give(pieces: readonly string[]): string[] {
    const spoken = pieces.filter((piece) => SPEAKABLE.test(piece));
    if (spoken.length > 0) this.#isFirst = false;
    return spoken;
  }
}
