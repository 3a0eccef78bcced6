/** Somebody who waits for the result of an item. */
interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Work on many things that costs about as much as work on one: the first is worked on at once, and all that come
 * meanwhile share the next turn.
 */
export class Coalescer<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #most: number;
  #waiting: Waiting<Item, Result>[] = [];
  #busy = false;

  /**
   * @param work gives the results in the order of its items; when it fails with several, each is tried by itself, so
   *   that a bad one spoils nobody's
   * @param most how many share a turn at the most
   */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, most: number) {
    this.#work = work;
    this.#most = most;
  }

  /** Resolves with the result of this item. */
  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#busy) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#busy = true;
    // Whoever asks in this very moment is part of the first turn.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#turn(this.#waiting.splice(0, this.#most));
    this.#busy = false;
  }

  async #turn(those: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(those.map(({ item }) => item));
      those.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (those.length === 1) those[0]!.reject(error);
      else for (const one of those) await this.#turn([one]);
    }
  }
}
