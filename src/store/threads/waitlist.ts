/** The promise of a request to a thread. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Pending requests by id; an id is used again after its answer. A busy `Map` would leak until the next full garbage
 * collection: V8 chains the tables that a map has outgrown, and an old one keeps all later entries alive.
 */
export class Waitlist {
  readonly #slots: (Waiting | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#slots.length - this.#free.length;
  }

  add(waiting: Waiting): number {
    const id = this.#free.pop() ?? this.#slots.length;
    this.#slots[id] = waiting;
    return id;
  }

  take(id: number): Waiting | undefined {
    const waiting = this.#slots[id];
    if (waiting === undefined) return undefined;
    this.#slots[id] = undefined;
    this.#free.push(id);
    return waiting;
  }

  takeAll(): Waiting[] {
    return this.#slots.flatMap((_, id) => this.take(id) ?? []);
  }
}
