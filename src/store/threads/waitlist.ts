/** The promise of a pending request to a thread. */
interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * The pending requests of a `ThreadClient` by id; an id is used again after its answer. It uses arrays, because a busy
 * `Map` would leak until the next full garbage collection: V8 chains the tables that a map has outgrown, and an old
 * table keeps all later entries alive.
 */
export class Waitlist {
  /** The requests; the index is the id. */
  readonly #slots: (PendingRequest | undefined)[] = [];
  /** The ids that may be used again. */
  readonly #free: number[] = [];

  /** Number of pending requests. */
  get size(): number {
    return this.#slots.length - this.#free.length;
  }

  /** Adds a request; returns its id. */
  add(request: PendingRequest): number {
    const id = this.#free.pop() ?? this.#slots.length;
    this.#slots[id] = request;
    return id;
  }

  /** Removes and returns the request of an id; undefined if it was answered before. */
  take(id: number): PendingRequest | undefined {
    const request = this.#slots[id];
    if (request === undefined) return undefined;
    this.#slots[id] = undefined;
    this.#free.push(id);
    return request;
  }

  /** Removes and returns all requests. */
  takeAll(): PendingRequest[] {
    return this.#slots.flatMap((_, id) => this.take(id) ?? []);
  }
}
