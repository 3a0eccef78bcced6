/** An item and the promise of its result. */
interface PendingItem<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Batches items whose work costs about the same for many items as for one, such as a transaction. Items that arrive
 * during a batch form the next batch. The webhook `Sender` stores the ends of attempts with it.
 */
export class Coalescer<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #maxBatch: number;
  #pending: PendingItem<Item, Result>[] = [];
  #isBusy = false;

  /**
   * @param work resolves with one result for each item, in the same order; if it fails for several items, it is called
   *   again for each of them alone
   * @param maxBatch the most items of a batch
   */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, maxBatch: number) {
    this.#work = work;
    this.#maxBatch = maxBatch;
  }

  /** Adds an item to the next batch. Settles with the result or the error of this item. */
  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ item, resolve, reject });
      if (!this.#isBusy) void this.#workOff();
    });
  }

  /** Works off the pending items, batch by batch. */
  async #workOff(): Promise<void> {
    this.#isBusy = true;
    // Items that are added in the same turn of the event loop join the first batch.
    await Promise.resolve();
    while (this.#pending.length > 0) await this.#runBatch(this.#pending.splice(0, this.#maxBatch));
    this.#isBusy = false;
  }

  /** Does the work of a batch. If it fails, each of its items is tried alone, so that only the faulty items fail. */
  async #runBatch(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const item of batch) await this.#runBatch([item]);
    }
  }
}
