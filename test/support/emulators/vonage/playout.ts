/** 20 ms of 16-bit audio at 16 kHz. */
export const FRAME_BYTES = 640;
/** Limit of queued frames; 1024 according to the latest documentation. */
const MOST_WAITING = 1024;

/** The playout buffer of a socket: frames and notifications in order. */
export class SocketPlayout {
  #items: (Buffer | object)[] = [];
  readonly #notify: (payload: object) => void;

  constructor(notify: (payload: object) => void) {
    this.#notify = notify;
  }

  /** False if the buffer is full. */
  add(frame: Buffer): boolean {
    if (this.#items.length >= MOST_WAITING) return false;
    this.#items.push(frame);
    return true;
  }

  /** Sent back when everything before it has been played. */
  notification(payload: object): void {
    this.#items.push(payload);
    this.#sendBack();
  }

  /** Discards everything, including notifications. */
  clear(): void {
    this.#items = [];
  }

  /** The next 20 ms; null if the buffer is empty. */
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
