/**
 * The conversation slots of this process: nobody is dialled without one, so nobody answers to dead air. A call holds
 * its slot from the moment it is about to be dialled until it is over.
 */
export class Slots {
  readonly #capacity: number;
  readonly #held = new Set<string>();
  #onFree: () => void = () => {};

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get free(): number {
    return Math.max(0, this.#capacity - this.#held.size);
  }

  /** Takes a slot for a call; taking it twice is once. Callers on the line already may exceed the capacity. */
  take(callId: string): void {
    this.#held.add(callId);
  }

  release(callId: string): void {
    if (this.#held.delete(callId)) this.#onFree();
  }

  /** Who wants to know that a slot became free. */
  onFree(listener: () => void): void {
    this.#onFree = listener;
  }
}
