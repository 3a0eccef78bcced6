/** Somebody who waits for an answer of a thread. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Who waits, by a number that is used again once its answer is there. A `Map` would do, were it not that V8 chains the
 * tables through which a busy one passes: the first of them to grow old keeps everybody who ever waited in memory until
 * the next full collection.
 */
export class Waitlist {
  readonly #seats: (Waiting | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#seats.length - this.#free.length;
  }

  add(waiting: Waiting): number {
    const id = this.#free.pop() ?? this.#seats.length;
    this.#seats[id] = waiting;
    return id;
  }

  take(id: number): Waiting | undefined {
    const waiting = this.#seats[id];
    if (waiting === undefined) return undefined;
    this.#seats[id] = undefined;
    this.#free.push(id);
    return waiting;
  }

  takeAll(): Waiting[] {
    return this.#seats.flatMap((_, id) => this.take(id) ?? []);
  }
}
