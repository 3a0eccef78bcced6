import { ULAW_SILENCE } from '#media/samples/g711.js';

const FRAME_BYTES = 160;

/**
 * The playout buffer of a gateway: audio and marks in order. A mark is returned when everything before it has been
 * played.
 */
export class GatewayPlayout {
  #items: (Buffer | string)[] = [];
  readonly #returnMark: (name: string) => void;

  constructor(returnMark: (name: string) => void) {
    this.#returnMark = returnMark;
  }

  add(sound: Buffer): void {
    if (sound.length > 0) this.#items.push(sound);
  }

  mark(name: string): void {
    this.#items.push(name);
    this.#returnMarks();
  }

  /** Discards the audio and returns all marks. */
  clear(): void {
    const marks = this.#items.filter((item) => typeof item === 'string');
    this.#items = [];
    for (const name of marks) this.#returnMark(name);
  }

  /** The next 20 ms of μ-law, padded with silence; null if the buffer is empty. */
  next(): Buffer | null {
    const frame = Buffer.alloc(FRAME_BYTES, ULAW_SILENCE);
    let filled = 0;
    while (filled < FRAME_BYTES) {
      const item = this.#items[0];
      if (!(item instanceof Buffer)) break;
      const copied = item.copy(frame, filled);
      filled += copied;
      if (copied === item.length) this.#items.shift();
      else this.#items[0] = item.subarray(copied);
    }
    this.#returnMarks();
    return filled === 0 ? null : frame;
  }

  #returnMarks(): void {
    for (let item = this.#items[0]; typeof item === 'string'; item = this.#items[0]) {
      this.#items.shift();
      this.#returnMark(item);
    }
  }
}
