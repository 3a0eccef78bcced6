import { Decoder, type DecoderParts } from './decoder.js';

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

  /** A decoder that knows `ear`'s voice or nobody's, best one that is set to `grammarKey` already. Needs `hasRoom`. */
  async take(ear: number, grammarKey: string): Promise<Decoder> {
    const seat = this.#pick(ear, grammarKey) ?? (await this.#make());
    this.#taken.set(seat.decoder, seat);
    if (seat.ear !== ear) await seat.decoder.forgetVoice();
    seat.ear = ear;
    return seat.decoder;
  }

  giveBack(decoder: Decoder): void {
    const seat = this.#taken.get(decoder);
    if (seat && this.#taken.delete(decoder)) this.#free.push(seat);
  }

  /** Instead of `giveBack`, for a decoder that is not to be trusted again. */
  scrap(decoder: Decoder): void {
    if (this.#taken.delete(decoder)) decoder.free();
  }

  #pick(ear: number, grammarKey: string): Seat | undefined {
    const own = this.#free.findIndex((seat) => seat.ear === ear);
    const set = this.#free.findIndex((seat) => seat.decoder.grammarKey === grammarKey);
    const index = own >= 0 ? own : Math.max(set, 0);
    return this.#free.splice(index, 1)[0];
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
