import type { Transaction } from './transaction.js';

/**
 * The port of the database: runs named transactions. A call rejects with a `Problem` that the transaction threw, with
 * `Problem('unavailable')` when the store is overloaded, out of reach, lost or closing, or with an internal error.
 *
 * A write that is requested after another has resolved runs after it. Concurrent writes have no order on PostgreSQL.
 */
export interface Store {
  /** Runs a transaction that may change rows. When it resolves, the change survives a crash and a power cut. */
  write<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result>;
  /** Runs a read-only transaction, which sees every write that resolved before the request. */
  read<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result>;
  /**
   * Subscribes to the notifications that any process sends on a topic by `notify`; each carries the id of a row.
   * Notifications may be lost, so subscribers also poll. On SQLite, which only one process has open, none is sent.
   * @returns the function that unsubscribes
   */
  listen(topic: string, onNotice: (id: string) => void): () => void;
  /** Writes a complete copy of the database to a new file while the service runs. SQLite only. */
  backup(path: string): Promise<void>;
  /** Finishes the requested transactions and closes the database. Idempotent. */
  close(): Promise<void>;
}
