/** Of 16-bit sound at 16 kHz, 20 ms. */
export const FRAME_BYTES = 640;
/** So many frames may wait; the last one of the documents says 1024. */
const MOST_WAITING = 1024;

/** What a socket was given to play: frames and notifications in order. */
export class SocketPlayout {
  #items: (Buffer | object)[] = [];
  readonly #notify: (payload: object) => void;

  constructor(notify: (payload: object) => void) {
    this.#notify = notify;
  }

  /** Whether there was room for it. */
  add(frame: Buffer): boolean {
    if (this.#items.length >= MOST_WAITING) return false;
    this.#items.push(frame);
    return true;
  }

  /** It is sent back when all before it was played. */
  notification(payload: object): void {
    this.#items.push(payload);
    this.#sendBack();
  }

  /** Forgets everything, notifications too. */
  clear(): void {
    this.#items = [];
  }

  /** The next 20 ms; null when there is nothing to play. */
  next(): Buffer | null {
    const item = this.#items[0];
    if (!(item instanceof Buffer)) return null;
    this.#items.shift();
    this.#sendBack();
    return item;
  }

  #sendBack(): void {
    for (let item = this.#items[0]; item && !(item instanceof Buffer); item = this.#items[0]) {
      this.#items.shift();
      this.#notify(item);
    }
  }
}
