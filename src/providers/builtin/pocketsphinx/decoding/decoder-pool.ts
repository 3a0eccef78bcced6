import { Decoder, type DecoderParts } from './decoder.js';
import type { Grammar } from '#providers/builtin/pocketsphinx/grammar/grammar.js';

/**
 * The decoders of one speech thread, created on demand up to a limit. A decoder takes 10 to 100 MB of memory, so the
 * utterances of many calls share a few: `UtteranceQueue` takes a decoder for each utterance and gives it back at the
 * end.
 */
export class DecoderPool {
  readonly #parts: DecoderParts;
  readonly #maxDecoders: number;
  /** Least recently used first. */
  readonly #free: Decoder[] = [];
  readonly #taken = new Set<Decoder>();
  #beingCreated = 0;

  constructor(options: { parts: DecoderParts; maxDecoders: number }) {
    this.#parts = options.parts;
    this.#maxDecoders = options.maxDecoders;
  }

  /** True if `take` can return a decoder. */
  get hasFreeDecoder(): boolean {
    return this.#free.length > 0 || this.#taken.size + this.#beingCreated < this.#maxDecoders;
  }

  /** Takes a decoder for an utterance, preferably one that is set to `grammar` already. Requires `hasFreeDecoder`. */
  async take(grammar: Grammar): Promise<Decoder> {
    const decoder = this.#takeFree(grammar.key) ?? (await this.#create());
    this.#taken.add(decoder);
    await this.#discardOnFailure(decoder, () => decoder.resetAdaptation());
    return decoder;
  }

  /**
   * Sets a free decoder to a grammar before the caller speaks, because setting it takes up to 20 ms. No effect if a
   * free decoder is set to it already, or if none is free.
   */
  async prepare(grammar: Grammar): Promise<void> {
    if (!this.hasFreeDecoder || this.#free.some((decoder) => decoder.grammarKey === grammar.key)) return;
    const decoder = this.#takeFree(grammar.key) ?? (await this.#create());
    this.#taken.add(decoder);
    await this.#discardOnFailure(decoder, () => decoder.setGrammar(grammar));
    this.giveBack(decoder);
  }

  /** Returns a decoder whose utterance is over. */
  giveBack(decoder: Decoder): void {
    if (this.#taken.delete(decoder)) this.#free.push(decoder);
  }

  /** Frees a decoder that may be broken, in place of `giveBack`. */
  discard(decoder: Decoder): void {
    if (this.#taken.delete(decoder)) decoder.free();
  }

  /** Runs work on a decoder and discards the decoder if the work fails. */
  async #discardOnFailure(decoder: Decoder, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.discard(decoder);
      throw error;
    }
  }

  /**
   * Removes a free decoder from the list: one that is set to the grammar, else the least recently used one. Undefined
   * if no free decoder is set to the grammar and the pool may create another.
   */
  #takeFree(grammarKey: string): Decoder | undefined {
    const isFull = this.#taken.size + this.#beingCreated + this.#free.length >= this.#maxDecoders;
    const prepared = this.#free.findIndex((decoder) => decoder.grammarKey === grammarKey);
    if (prepared < 0 && !isFull) return undefined;
    return this.#free.splice(Math.max(prepared, 0), 1)[0];
  }

  async #create(): Promise<Decoder> {
    this.#beingCreated += 1;
    try {
      return await Decoder.create(this.#parts);
    } finally {
      this.#beingCreated -= 1;
    }
  }
}
