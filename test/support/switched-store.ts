import { Problem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import type { Transaction } from '#store/transaction.js';

/** A store that a test can make unavailable, like a database that restarts. */
export class SwitchedStore implements Store {
  readonly #store: Store;
  isAway = false;
  /** The transaction whose next write fails, as if the database were unavailable for a moment. */
  missing: Transaction<never, unknown> | null = null;
  /** The transactions of which each write is done, and fails the first time all the same: its answer is lost. */
  losesAnswersOf: readonly unknown[] = [];
  /** The arguments of the writes whose answer was lost. */
  readonly #lost = new WeakSet<object>();

  constructor(store: Store) {
    this.#store = store;
  }

  async write<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result> {
    this.#requireHere(transaction === (this.missing as unknown));
    const result = await this.#store.write(transaction, args);
    const isRepeated = this.#lost.has(args as object);
    if (isRepeated || !this.losesAnswersOf.includes(transaction)) return result;
    this.#lost.add(args as object);
    throw new Problem('unavailable', 'The answer of the database was lost.');
  }

  async read<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result> {
    this.#requireHere();
    return this.#store.read(transaction, args);
  }

  listen(topic: string, onNotice: (id: string) => void): () => void {
    return this.#store.listen(topic, onNotice);
  }

  backup(path: string): Promise<void> {
    return this.#store.backup(path);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #requireHere(isMissing = false): void {
    if (isMissing) this.missing = null;
    if (this.isAway || isMissing) throw new Problem('unavailable', 'The database is not available now.');
  }
}
