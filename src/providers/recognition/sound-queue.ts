import { encodeUlaw, ULAW_SILENCE } from '#media/samples/g711.js';
import type { HeardUtterance } from './heard-utterance.js';
import type { SoundForm } from './stt-dialect.js';

/** An item to send: a chunk of audio with its place in the audio of the call, or the end of an utterance. */
type Item =
  { bytes: Uint8Array; startMs: number; endMs: number; isQuiet: boolean } | { finished: HeardUtterance };

/** A chunk whose samples all lie below this peak (−41 dBFS) is quiet. */
const QUIET_PEAK = 300;
/** The most audio kept for sending again. The conversation cuts longer utterances at 30 seconds. */
const LONGEST_KEPT_MS = 30_000;

/**
 * The audio of a call on its way to a recogniser, in chunks of equal length. {@link StreamingSession} sends them. A
 * chunk stays in the queue until its words are final, so that it can be sent again over a new connection and no words
 * are lost.
 */
export class SoundQueue {
  readonly #form: SoundForm;
  readonly #pieceSamples: number;
  readonly #piece: Int16Array;
  #filled = 0;
  readonly #items: Item[] = [];
  /** How many items, from the first, were sent over the present connection. */
  #sent = 0;
  #pushedSamples = 0;
  /** Words up to this time in the audio of the call are final. */
  #settledMs = 0;

  /** @param pieceMs the length of a chunk */
  constructor(form: SoundForm, pieceMs: number) {
    this.#form = form;
    this.#pieceSamples = (pieceMs * form.sampleRateHz) / 1_000;
    this.#piece = new Int16Array(this.#pieceSamples);
  }

  /** The length of the audio so far, in milliseconds. */
  get pushedMs(): number {
    return this.#ms(this.#pushedSamples);
  }

  /** The place of the oldest kept audio, with which a new connection starts, in milliseconds. */
  get keptFromMs(): number {
    const first = this.#items.find((item) => 'bytes' in item);
    return first && 'bytes' in first ? first.startMs : this.#ms(this.#pushedSamples - this.#filled);
  }

  /** Appends samples; complete chunks are queued. */
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
   * Queues the end of an utterance.
   * @param padding true to complete the last chunk with silence; false leaves its samples for the next chunk
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

  /** The next item to send; null if there is none. */
  peek(): Item | null {
    return this.#items[this.#sent] ?? null;
  }

  /** Notes that the item of {@link peek} was sent. */
  taken(): void {
    this.#sent += 1;
  }

  /** Prepares to send the kept audio once more, over another connection. Drops the audio of discarded utterances. */
  rewind(): void {
    this.#sent = 0;
    const lastDiscarded = this.#items.findLastIndex(
      (item) => 'finished' in item && item.finished.isDiscarded,
    );
    if (lastDiscarded >= 0) this.#drop(lastDiscarded + 1);
    this.#silenceSettled();
  }

  /** Notes that the words up to this time are final, and drops the chunks before it. */
  settle(throughMs: number): void {
    this.#settledMs = Math.max(this.#settledMs, throughMs);
    let count = 0;
    for (; count < this.#sent; count += 1) {
      const item = this.#items[count]!;
      if (!('bytes' in item) || item.endMs > throughMs) break;
    }
    this.#drop(count);
  }

  /** Drops the audio of an utterance that has its transcript. */
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

  /** Silences the part of the first chunk whose words are final, so that they are not recognised twice. */
  #silenceSettled(): void {
    const [first] = this.#items;
    if (!first || !('bytes' in first) || first.startMs >= this.#settledMs) return;
    const { bytes, startMs, endMs } = first;
    const isUlaw = this.#form.encoding === 'mulaw';
    const samples = Math.round(((this.#settledMs - startMs) * this.#form.sampleRateHz) / 1_000);
    if (this.#settledMs < endMs) bytes.fill(isUlaw ? ULAW_SILENCE : 0, 0, isUlaw ? samples : 2 * samples);
  }

  /** The chunk in the format of the connection. */
  #encoded(): Uint8Array {
    const piece = this.#piece;
    if (this.#form.encoding === 'mulaw') {
      const encoded = new Uint8Array(piece.length);
      encodeUlaw(piece, encoded);
      return encoded;
    }
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
