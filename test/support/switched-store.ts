import { Problem } from '#kernel/errors/errors.js';
import type { Store } from '#store/store.js';
import type { Transaction } from '#store/transaction.js';

/** A store that a test can make unavailable, like a database that restarts. */
export class SwitchedStore implements Store {
  readonly #store: Store;
  isAway = false;
  /** The transaction whose next write fails, as if the database were unavailable for a moment. */
  missing: Transaction<never, unknown> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  async write<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result> {
    this.#requireHere(transaction === (this.missing as unknown));
    return this.#store.write(transaction, args);
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
