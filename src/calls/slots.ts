/**
 * The conversation slots of this process: nobody is dialled without one, so nobody answers to dead air. A call holds
 * its slot from the moment it is about to be dialled until it is over.
 */
export class Slots {
  readonly #capacity: number;
  readonly #held = new Set<string>();
  #onFree: () => void = () => {};
  #onIdle: (() => void)[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get free(): number {
    return Math.max(0, this.#capacity - this.#held.size);
  }

  /** The calls that hold one. */
  get held(): Iterable<string> {
    return this.#held;
  }

  /** Takes a slot for a call; taking it twice is once. Callers on the line already may exceed the capacity. */
  take(callId: string): void {
    this.#held.add(callId);
  }

  release(callId: string): void {
    if (!this.#held.delete(callId)) return;
    this.#onFree();
    if (this.#held.size > 0) return;
    for (const wake of this.#onIdle.splice(0)) wake();
  }

  /** Resolves when no call holds a slot any more. */
  idle(): Promise<void> {
    return new Promise((resolve) => (this.#held.size === 0 ? resolve() : this.#onIdle.push(resolve)));
  }

  /** Who wants to know that a slot became free. */
  onFree(listener: () => void): void {
    this.#onFree = listener;
  }
}
