import type { Engine } from '#store/threads/serve-database.js';
import type { Inbox } from '#store/threads/inbox.js';
import type { Job } from '#store/threads/job-queue.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';
import { transactionNamed } from '#store/transaction.js';
import type { SqliteDatabase } from './connection.js';
import { SqliteTx, StatementCache } from './transaction.js';

/**
 * The engine of the reader thread: runs read-only transactions one after the other, each on a snapshot that begins with
 * its first statement. No snapshot outlives its transaction: an open snapshot would keep the write-ahead log from being
 * emptied.
 */
export class SnapshotReader implements Engine {
  readonly facts: ThreadFacts;
  readonly #database: SqliteDatabase;
  readonly #statements: StatementCache;

  constructor(database: SqliteDatabase, facts: ThreadFacts) {
    this.#database = database;
    this.#statements = new StatementCache(database);
    this.facts = facts;
  }

  async serve(inbox: Inbox, outbox: Outbox): Promise<void> {
    while (await inbox.waitForJob()) {
      for (let job = inbox.take(); job; job = inbox.take()) await this.#readOne(job, outbox);
      outbox.flush();
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /**
   * Runs one transaction on a snapshot. The rollback only ends the snapshot: a read-only transaction has no changes.
   */
  async #readOne(job: Job, outbox: Outbox): Promise<void> {
    const tx = new SqliteTx(this.#statements);
    try {
      this.#statements.get('begin').run();
      outbox.succeed(job.id, await transactionNamed(job.transaction)(tx, job.args as never));
    } catch (error) {
      outbox.fail(job.id, error);
    } finally {
      tx.end();
      if (this.#database.inTransaction) this.#statements.get('rollback').run();
    }
  }
}
