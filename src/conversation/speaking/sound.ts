import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';

/** Search range for the gap before a word: words are shorter than this. */
const WORD_MS = 400;

/** The sound of one sentence. It grows at its end, and plays on from the present position. */
export class Sound {
  readonly #rateHz: SampleRateHz;
  readonly #pieces: Int16Array[] = [];
  #length = 0;
  /** Samples played, and the position as piece and samples of that piece. */
  #position = 0;
  #piece = 0;
  #taken = 0;

  constructor(rateHz: SampleRateHz) {
    this.#rateHz = rateHz;
  }

  /** Samples synthesised so far. */
  get length(): number {
    return this.#length;
  }

  get position(): number {
    return this.#position;
  }

  append(piece: Int16Array): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** Copies the next samples into `frame` from `at` on; returns their number. No allocation. */
  play(frame: Int16Array, at: number): number {
    let filled = at;
    while (filled < frame.length && this.#piece < this.#pieces.length) {
      const piece = this.#pieces[this.#piece]!;
      const count = Math.min(frame.length - filled, piece.length - this.#taken);
      for (let index = 0; index < count; index += 1) frame[filled + index] = piece[this.#taken + index]!;
      filled += count;
      this.#taken += count;
      this.#position += count;
      if (this.#taken === piece.length) {
        this.#piece += 1;
        this.#taken = 0;
      }
    }
    return filled - at;
  }

  /**
   * Goes back by this many samples, and further to the quietest moment within a word's length, which is most likely the
   * gap between two words: speech does not resume in the middle of a word.
   */
  rewind(samples: number): void {
    const to = Math.max(0, this.#position - samples);
    this.#seek(this.#quietestBefore(to));
  }

  #quietestBefore(end: number): number {
    const step = frameSamples(this.#rateHz);
    const reach = (step * WORD_MS) / FRAME_MS;
    if (end <= reach) return 0;
    let quietest = end;
    let leastPower = Infinity;
    for (let from = end - step; from >= end - reach; from -= step) {
      const power = this.#power(from, step);
      if (power < leastPower) [quietest, leastPower] = [from, power];
    }
    return quietest;
  }

  #power(from: number, count: number): number {
    this.#seek(from);
    let sum = 0;
    for (let left = count; left > 0; left -= 1) {
      const piece = this.#pieces[this.#piece]!;
      sum += piece[this.#taken]! ** 2;
      this.#taken += 1;
      if (this.#taken === piece.length) [this.#piece, this.#taken] = [this.#piece + 1, 0];
    }
    return sum;
  }

  #seek(position: number): void {
    this.#position = position;
    this.#piece = 0;
    this.#taken = position;
    while (this.#taken > 0 && this.#taken >= this.#pieces[this.#piece]!.length) {
      this.#taken -= this.#pieces[this.#piece]!.length;
      this.#piece += 1;
    }
  }
}
