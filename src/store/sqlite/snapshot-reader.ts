import type { Engine } from '#store/threads/engine.js';
import type { Inbox, Job } from '#store/threads/inbox.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';
import { unitNamed } from '#store/unit.js';
import type { SqliteDatabase } from './connection.js';
import { SqliteTx, StatementCache } from './transaction.js';

/**
 * The reader: each unit sees one snapshot, taken after it was asked. No snapshot outlives its unit, so that the log can
 * be emptied.
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
    while (await inbox.some()) {
      for (let job = inbox.next(); job; job = inbox.next()) await this.#readOne(job, outbox);
      outbox.flush();
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  async #readOne(job: Job, outbox: Outbox): Promise<void> {
    const tx = new SqliteTx(this.#statements);
    try {
      this.#statements.get('begin').run();
      outbox.succeed(job.id, await unitNamed(job.unit)(tx, job.args as never));
    } catch (error) {
      outbox.fail(job.id, error);
    } finally {
      tx.end();
      if (this.#database.inTransaction) this.#statements.get('rollback').run();
    }
  }
}
