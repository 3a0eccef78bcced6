import { endOfFirstClause, LONGEST_PIECE, sentencesOf, splitSentences } from './sentences.js';

/** A piece without any of these makes no sound, and some voices refuse it. */
const AUDIBLE = /[\p{L}\p{N}]/u;

/**
 * Cuts the streamed text of one agent turn into pieces to be spoken: the first clause as soon as it is complete, then
 * sentences. A sentence is complete when the next sentence begins: a full stop alone does not show it, as after "Dr."
 * and "3.". A sentence that is too long is cut before it is complete. Used by `AgentTurn`.
 */
export class SentenceStream {
  /** Text that waits for the end of its sentence. */
  #pending = '';
  /** True until the first piece of the turn that makes a sound was given out. */
  #isFirst = true;

  /** True while text that makes a sound waits for the end of its sentence. */
  get isWaiting(): boolean {
    return AUDIBLE.test(this.#pending);
  }

  /** The text that waits. */
  get rest(): string {
    return this.#pending;
  }

  /** Adds text. @returns the pieces that are complete now */
  push(delta: string): string[] {
    this.#pending += delta;
    return [...this.#firstClause(), ...this.#sentences()];
  }

  /** Ends the text. @returns the pieces of the text that waited */
  flush(): string[] {
    const rest = this.#isFirst
      ? splitSentences(this.#pending)
      : splitSentences(this.#pending, { isFirst: false });
    this.#pending = '';
    return this.#audibleOf(rest);
  }

  /** The first clause of the turn, if it is complete and was not given out. */
  #firstClause(): string[] {
    if (!this.#isFirst) return [];
    const end = endOfFirstClause(this.#pending);
    return end === null ? [] : this.#audibleOf([this.#removeFirst(end)]);
  }

  /** The complete sentences. */
  #sentences(): string[] {
    const sentences = sentencesOf(this.#pending);
    const open = sentences.pop() ?? '';
    const isLong = open.length > LONGEST_PIECE;
    if (sentences.length === 0 && !isLong) return [];
    const pieces = [...sentences, ...(isLong ? [open] : [])].flatMap((sentence) =>
      splitSentences(sentence, { isFirst: this.#isFirst }),
    );
    // All pieces of a sentence that is too long are spoken except the last one, which may grow.
    const kept = isLong ? (pieces.pop() ?? '') : open;
    const trailing = /\s*$/.exec(this.#pending)![0];
    this.#pending = kept + trailing;
    return this.#audibleOf(pieces);
  }

  /** Removes and returns the waiting text up to `end`. */
  #removeFirst(end: number): string {
    const piece = this.#pending.slice(0, end).trim();
    this.#pending = this.#pending.slice(end).trimStart();
    return piece;
  }

  /** The pieces that make a sound. */
  #audibleOf(pieces: readonly string[]): string[] {
    const spoken = pieces.filter((piece) => AUDIBLE.test(piece));
    if (spoken.length > 0) this.#isFirst = false;
    return spoken;
  }
}
