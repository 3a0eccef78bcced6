import { Decoder, type DecoderParts } from './decoder.js';
import type { Grammar } from './grammar.js';

interface Seat {
  decoder: Decoder;
  /** The ear it served last, whose voice it still knows. */
  ear: number | null;
}

/** The decoders of one thread: made when needed, never more than `most`; an utterance takes one and gives it back. */
export class DecoderBench {
  readonly #parts: DecoderParts;
  readonly #most: number;
  readonly #free: Seat[] = [];
  readonly #taken = new Map<Decoder, Seat>();
  #making = 0;

  constructor(options: { parts: DecoderParts; most: number }) {
    this.#parts = options.parts;
    this.#most = options.most;
  }

  /** Whether `take` would have a decoder to give. */
  get hasRoom(): boolean {
    return this.#free.length > 0 || this.#taken.size + this.#making < this.#most;
  }

  /** A decoder for an utterance of `ear`, best one that is set to `grammar` already. Needs `hasRoom`. */
  async take(ear: number, grammar: Grammar): Promise<Decoder> {
    const seat = this.#pick(ear, grammar.key) ?? (await this.#make());
    this.#taken.set(seat.decoder, seat);
    if (seat.ear !== ear) await seat.decoder.forgetVoice();
    seat.ear = ear;
    return seat.decoder;
  }

  /** Sets a decoder to a grammar before anybody talks, if one is free: that takes up to 50 ms. */
  async prepare(grammar: Grammar): Promise<void> {
    if (!this.hasRoom || this.#free.some((seat) => seat.decoder.grammarKey === grammar.key)) return;
    const seat = this.#free.shift() ?? (await this.#make());
    seat.decoder.setGrammar(grammar);
    this.#free.push(seat);
  }

  giveBack(decoder: Decoder): void {
    const seat = this.#taken.get(decoder);
    if (seat && this.#taken.delete(decoder)) this.#free.push(seat);
  }

  /** Instead of `giveBack`, for a decoder that is not to be trusted again. */
  scrap(decoder: Decoder): void {
    if (this.#taken.delete(decoder)) decoder.free();
  }

  /** The one set to the grammar, best with the ear's own voice; else a new one; else the one unused for longest. */
  #pick(ear: number, grammarKey: string): Seat | undefined {
    const set = this.#free.filter((seat) => seat.decoder.grammarKey === grammarKey);
    const isFull = this.#taken.size + this.#making + this.#free.length >= this.#most;
    const seat = set.find((one) => one.ear === ear) ?? set[0] ?? (isFull ? this.#free[0] : undefined);
    if (seat) this.#free.splice(this.#free.indexOf(seat), 1);
    return seat;
  }

  async #make(): Promise<Seat> {
    this.#making += 1;
    try {
      return { decoder: await Decoder.create(this.#parts), ear: null };
    } finally {
      this.#making -= 1;
    }
  }
}
