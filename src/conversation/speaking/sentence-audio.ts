import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';

/** Search range for the gap before a word; most words are shorter. */
const LONGEST_WORD_MS = 400;

/**
 * The synthesised sound of one sentence: it grows at its end, plays from the present position, and can be rewound to
 * the beginning of a word. Used by `SpeechPlayer`.
 */
export class SentenceAudio {
  readonly #rateHz: SampleRateHz;
  /** The sound, in the pieces in which the voice delivered it. */
  readonly #pieces: Int16Array[] = [];
  #lengthSamples = 0;
  /** Samples played; the same position as the index of a piece and an offset in it. */
  #position = 0;
  #pieceIndex = 0;
  #pieceOffset = 0;

  constructor(rateHz: SampleRateHz) {
    this.#rateHz = rateHz;
  }

  /** Samples synthesised so far. */
  get length(): number {
    return this.#lengthSamples;
  }

  /** Samples played so far. */
  get position(): number {
    return this.#position;
  }

  /** Adds synthesised sound at the end; the array is kept. */
  append(piece: Int16Array): void {
    this.#pieces.push(piece);
    this.#lengthSamples += piece.length;
  }

  /** Copies the next samples into `frame` from `at` on; returns their number. No allocation. */
  play(frame: Int16Array, at: number): number {
    let filled = at;
    while (filled < frame.length && this.#pieceIndex < this.#pieces.length) {
      const piece = this.#pieces[this.#pieceIndex]!;
      const count = Math.min(frame.length - filled, piece.length - this.#pieceOffset);
      for (let index = 0; index < count; index += 1)
        frame[filled + index] = piece[this.#pieceOffset + index]!;
      filled += count;
      this.#pieceOffset += count;
      this.#position += count;
      if (this.#pieceOffset === piece.length) {
        this.#pieceIndex += 1;
        this.#pieceOffset = 0;
      }
    }
    return filled - at;
  }

  /**
   * Goes back by this many samples, and then to the quietest moment within a word's length before that. It is most
   * likely the gap between two words, so that speech does not resume in the middle of a word.
   */
  rewind(samples: number): void {
    const to = Math.max(0, this.#position - samples);
    this.#seek(this.#quietestBefore(to));
  }

  /** Position of the frame with the least power within a word's length before `end`; 0 near the beginning. */
  #quietestBefore(end: number): number {
    const step = frameSamples(this.#rateHz);
    const reach = (step * LONGEST_WORD_MS) / FRAME_MS;
    if (end <= reach) return 0;
    let quietest = end;
    let leastPower = Infinity;
    for (let from = end - step; from >= end - reach; from -= step) {
      const power = this.#power(from, step);
      if (power < leastPower) [quietest, leastPower] = [from, power];
    }
    return quietest;
  }

  /** Power of `count` samples from a position on, as the sum of their squares. A `#seek` must follow. */
  #power(from: number, count: number): number {
    this.#seek(from);
    let sum = 0;
    for (let left = count; left > 0; left -= 1) {
      const piece = this.#pieces[this.#pieceIndex]!;
      sum += piece[this.#pieceOffset]! ** 2;
      this.#pieceOffset += 1;
      if (this.#pieceOffset === piece.length)
        [this.#pieceIndex, this.#pieceOffset] = [this.#pieceIndex + 1, 0];
    }
    return sum;
  }

  /** Sets the present position. */
  #seek(position: number): void {
    this.#position = position;
    this.#pieceIndex = 0;
    this.#pieceOffset = position;
    while (this.#pieceOffset > 0 && this.#pieceOffset >= this.#pieces[this.#pieceIndex]!.length) {
      this.#pieceOffset -= this.#pieces[this.#pieceIndex]!.length;
      this.#pieceIndex += 1;
    }
  }
}
