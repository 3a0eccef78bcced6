import { ULAW_OF_PCM, ULAW_SILENCE } from '#media/samples/g711.js';
import type { HeardUtterance } from './heard-utterance.js';
import type { SoundForm } from './stt-dialect.js';

/** A piece of sound with its place in the sound of the call, in milliseconds, or the end of an utterance. */
type Item =
  { bytes: Uint8Array; startMs: number; endMs: number; isQuiet: boolean } | { finished: HeardUtterance };

/** What is softer than this (−41 dBFS) is silence. */
const QUIET_PEAK = 300;
/** Sound that is kept to be sent again, at most: an utterance is cut after 30 seconds. */
const LONGEST_KEPT_MS = 30_000;

/**
 * The sound of a call on its way to a recogniser: in pieces, kept until the words of it are final, so that none is lost
 * with a connection.
 */
export class SoundQueue {
  readonly #form: SoundForm;
  readonly #pieceSamples: number;
  readonly #piece: Int16Array;
  #filled = 0;
  readonly #items: Item[] = [];
  /** How many of the first items were sent over the present connection. */
  #sent = 0;
  #pushedSamples = 0;
  #settledMs = 0;

  constructor(form: SoundForm, pieceMs: number) {
    this.#form = form;
    this.#pieceSamples = (pieceMs * form.sampleRateHz) / 1_000;
    this.#piece = new Int16Array(this.#pieceSamples);
  }

  /** How much sound was pushed so far, in milliseconds. */
  get pushedMs(): number {
    return this.#ms(this.#pushedSamples);
  }

  /** Where the sound that is kept begins: with it begins what is sent over a new connection. */
  get keptFromMs(): number {
    const first = this.#items.find((item) => 'bytes' in item);
    return first && 'bytes' in first ? first.startMs : this.#ms(this.#pushedSamples - this.#filled);
  }

  push(samples: Int16Array): void {
    this.#pushedSamples += samples.length;
    for (let at = 0; at < samples.length;) {
      const part = samples.subarray(at, at + this.#pieceSamples - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.#pieceSamples) this.#cutPiece(this.#pushedSamples - (samples.length - at));
    }
  }

  /**
   * The utterance ends here.
   * @param padding whether what is left of a piece goes now, with silence behind it
   */
  finish(utterance: HeardUtterance, { padding }: { padding: boolean }): void {
    if (padding && this.#filled > 0) {
      this.#piece.fill(0, this.#filled);
      this.#pushedSamples += this.#pieceSamples - this.#filled;
      this.#filled = this.#pieceSamples;
      this.#cutPiece(this.#pushedSamples);
    }
    this.#items.push({ finished: utterance });
  }

  /** What is to be sent next; null for nothing. */
  peek(): Item | null {
    return this.#items[this.#sent] ?? null;
  }

  taken(): void {
    this.#sent += 1;
  }

  /** Everything that is kept is sent over another connection; what belongs to nobody is not. */
  rewind(): void {
    this.#sent = 0;
    const lastDiscarded = this.#items.findLastIndex(
      (item) => 'finished' in item && item.finished.isDiscarded,
    );
    if (lastDiscarded >= 0) this.#drop(lastDiscarded + 1);
    this.#silenceSettled();
  }

  /** The words of the sound up to this moment are final. */
  settle(throughMs: number): void {
    this.#settledMs = Math.max(this.#settledMs, throughMs);
    let count = 0;
    for (; count < this.#sent; count += 1) {
      const item = this.#items[count]!;
      if (!('bytes' in item) || item.endMs > throughMs) break;
    }
    this.#drop(count);
  }

  /** An utterance has its words: nothing of it is needed any more. */
  finished(utterance: HeardUtterance): void {
    this.#drop(this.#items.findIndex((item) => 'finished' in item && item.finished === utterance) + 1);
  }

  #cutPiece(endSamples: number): void {
    const endMs = this.#ms(endSamples);
    const startMs = this.#ms(endSamples - this.#pieceSamples);
    const isQuiet = this.#piece.every((sample) => Math.abs(sample) < QUIET_PEAK);
    this.#items.push({ bytes: this.#encoded(), startMs, endMs, isQuiet });
    this.#filled = 0;
    this.settle(endMs - LONGEST_KEPT_MS);
  }

  /** Final words in the first piece must not be heard again. */
  #silenceSettled(): void {
    const [first] = this.#items;
    if (!first || !('bytes' in first) || first.startMs >= this.#settledMs) return;
    const { bytes, startMs, endMs } = first;
    const isUlaw = this.#form.encoding === 'mulaw';
    const samples = Math.round(((this.#settledMs - startMs) * this.#form.sampleRateHz) / 1_000);
    if (this.#settledMs < endMs) bytes.fill(isUlaw ? ULAW_SILENCE : 0, 0, isUlaw ? samples : 2 * samples);
  }

  #encoded(): Uint8Array {
    const piece = this.#piece;
    if (this.#form.encoding === 'mulaw')
      return Uint8Array.from(piece, (sample) => ULAW_OF_PCM[sample & 0xffff]!);
    const bytes = Buffer.alloc(2 * piece.length);
    for (let at = 0; at < piece.length; at += 1) bytes.writeInt16LE(piece[at]!, 2 * at);
    return bytes;
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#items.splice(0, count);
    this.#sent = Math.max(0, this.#sent - count);
  }

  #ms(samples: number): number {
    return (samples * 1_000) / this.#form.sampleRateHz;
  }
}
