import { ULAW_SILENCE } from '#media/samples/g711.js';
import { FRAME_SAMPLES } from './sandbox-frames.js';

/** Limit of the buffer, ten minutes of audio at 8,000 bytes a second: a service that sends more has lost its pacing. */
const LIMIT_BYTES = 10 * 60 * 8000;

/** A piece of audio, with the number of its bytes that were played; or a mark. */
type Item = { sound: Buffer; playedBytes: number } | { mark: string };

/**
 * The playout buffer of the sandbox network, like a carrier's: μ-law audio of the service and marks, in order. A mark
 * is returned when everything before it has been played or cleared. Used by `MediaStream`.
 */
export class Playout {
  readonly #items: Item[] = [];
  readonly #frame = Buffer.alloc(FRAME_SAMPLES);
  readonly #onMark: (name: string) => void;
  /** Bytes of audio that were not played yet. */
  #waitingBytes = 0;

  constructor(onMark: (name: string) => void) {
    this.#onMark = onMark;
  }

  /** Appends audio of any length; false if the buffer is full. */
  add(sound: Buffer): boolean {
    if (this.#waitingBytes + sound.length > LIMIT_BYTES) return false;
    if (sound.length > 0) this.#items.push({ sound, playedBytes: 0 });
    this.#waitingBytes += sound.length;
    return true;
  }

  /** Appends a mark; an empty buffer returns it at once. */
  mark(name: string): void {
    this.#items.push({ mark: name });
    this.#passMarks();
  }

  /** Discards the audio and returns all marks. */
  clear(): void {
    const items = this.#items.splice(0);
    this.#waitingBytes = 0;
    for (const item of items) if ('mark' in item) this.#onMark(item.mark);
  }

  /**
   * Takes one frame of 20 ms, which is valid until the next call; null if the buffer is empty. At the end of the buffer
   * and at a mark, the frame is padded with silence.
   */
  play(): Buffer | null {
    let filled = 0;
    for (let item = this.#items[0]; item && filled < FRAME_SAMPLES; item = this.#items[0]) {
      if ('mark' in item) break;
      const copied = item.sound.copy(this.#frame, filled, item.playedBytes);
      item.playedBytes += copied;
      filled += copied;
      if (item.playedBytes === item.sound.length) this.#items.shift();
    }
    this.#waitingBytes -= filled;
    this.#passMarks();
    return filled === 0 ? null : this.#frame.fill(ULAW_SILENCE, filled);
  }

  /** Returns the marks at the beginning of the buffer. */
  #passMarks(): void {
    for (let item = this.#items[0]; item && 'mark' in item; item = this.#items[0]) {
      this.#items.shift();
      this.#onMark(item.mark);
    }
  }
}
