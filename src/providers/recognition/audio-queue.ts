import { encodeUlaw, ULAW_SILENCE } from '#media/samples/g711.js';
import type { PendingUtterance } from './pending-utterance.js';
import type { AudioFormat } from './stt-dialect.js';

/** An item to send: a chunk of audio with its place (ms) in the audio of the call, or the end of an utterance. */
type QueueItem =
  { bytes: Uint8Array; startMs: number; endMs: number; isQuiet: boolean } | { endOf: PendingUtterance };

/** A chunk whose samples all lie below this peak (−41 dBFS) is quiet. */
const QUIET_PEAK = 300;
/** The most audio kept for sending again. The conversation cuts longer utterances at 30 seconds. */
const MAX_KEPT_MS = 30_000;

/**
 * The audio of a call on its way to a recogniser, in chunks of equal length. `StreamingSession` sends them. A chunk
 * stays in the queue until its words are final (30 seconds at most), so that it can be sent again over a new connection
 * and no words are lost.
 */
export class AudioQueue {
  readonly #format: AudioFormat;
  readonly #chunkSamples: number;
  readonly #chunk: Int16Array;
  /** How many samples of the unfinished chunk are filled. */
  #filled = 0;
  /** Chunks and ends of utterances in order, first those sent over the current connection. */
  readonly #items: QueueItem[] = [];
  /** How many items, from the first, were sent over the current connection. */
  #sent = 0;
  /** Samples pushed since the beginning of the call, with the silence that padded chunks. */
  #pushedSamples = 0;
  /** Words up to this time in the audio of the call are final. */
  #finalMs = 0;

  /** @param chunkMs the length of a chunk */
  constructor(format: AudioFormat, chunkMs: number) {
    this.#format = format;
    this.#chunkSamples = (chunkMs * format.sampleRateHz) / 1_000;
    this.#chunk = new Int16Array(this.#chunkSamples);
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
    for (let taken = 0; taken < samples.length;) {
      const part = samples.subarray(taken, taken + this.#chunkSamples - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled === this.#chunkSamples)
        this.#queueChunk(this.#pushedSamples - (samples.length - taken));
    }
  }

  /**
   * Queues the end of an utterance.
   * @param padding true to complete the last chunk with silence; false leaves its samples for the next chunk
   */
  endUtterance(utterance: PendingUtterance, { padding }: { padding: boolean }): void {
    if (padding && this.#filled > 0) {
      this.#chunk.fill(0, this.#filled);
      this.#pushedSamples += this.#chunkSamples - this.#filled;
      this.#filled = this.#chunkSamples;
      this.#queueChunk(this.#pushedSamples);
    }
    this.#items.push({ endOf: utterance });
  }

  /** The next item to send; null if there is none. */
  peek(): QueueItem | null {
    return this.#items[this.#sent] ?? null;
  }

  /** Notes that the item of {@link peek} was sent. */
  markSent(): void {
    this.#sent += 1;
  }

  /** Prepares to send the kept audio once more, over another connection. */
  rewind(): void {
    this.#sent = 0;
    this.#silenceFinal();
  }

  /** Notes that the words up to this time are final, and drops the sent chunks before it. */
  markFinal(throughMs: number): void {
    this.#finalMs = Math.max(this.#finalMs, throughMs);
    let count = 0;
    for (; count < this.#sent; count += 1) {
      const item = this.#items[count]!;
      if (!('bytes' in item) || item.endMs > throughMs) break;
    }
    this.#drop(count);
  }

  /** Drops the audio of the oldest utterance, which has its transcript or needs none. */
  dropUtterance(utterance: PendingUtterance): void {
    this.#drop(this.#items.findIndex((item) => 'endOf' in item && item.endOf === utterance) + 1);
  }

  /** Queues the full chunk, which ends at this sample of the call. */
  #queueChunk(endSamples: number): void {
    const endMs = this.#ms(endSamples);
    const startMs = this.#ms(endSamples - this.#chunkSamples);
    const isQuiet = this.#chunk.every((sample) => Math.abs(sample) < QUIET_PEAK);
    this.#items.push({ bytes: this.#encoded(), startMs, endMs, isQuiet });
    this.#filled = 0;
    // Audio that is too old is given up, as if its words were final.
    this.markFinal(endMs - MAX_KEPT_MS);
  }

  /** Silences the part of the first chunk whose words are final, so that they are not recognised twice. */
  #silenceFinal(): void {
    const [first] = this.#items;
    if (!first || !('bytes' in first) || first.startMs >= this.#finalMs) return;
    const { bytes, startMs, endMs } = first;
    const isUlaw = this.#format.encoding === 'mulaw';
    const samples = Math.round(((this.#finalMs - startMs) * this.#format.sampleRateHz) / 1_000);
    if (this.#finalMs < endMs) bytes.fill(isUlaw ? ULAW_SILENCE : 0, 0, isUlaw ? samples : 2 * samples);
  }

  /** The chunk in the format of the connection. */
  #encoded(): Uint8Array {
    const samples = this.#chunk;
    if (this.#format.encoding === 'mulaw') {
      const encoded = new Uint8Array(samples.length);
      encodeUlaw(samples, encoded);
      return encoded;
    }
    const bytes = Buffer.alloc(2 * samples.length);
    for (let at = 0; at < samples.length; at += 1) bytes.writeInt16LE(samples[at]!, 2 * at);
    return bytes;
  }

  /** Removes the first items. */
  #drop(count: number): void {
    if (count === 0) return;
    this.#items.splice(0, count);
    this.#sent = Math.max(0, this.#sent - count);
  }

  #ms(samples: number): number {
    return (samples * 1_000) / this.#format.sampleRateHz;
  }
}
