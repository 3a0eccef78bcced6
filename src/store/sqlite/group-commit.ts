import { systemClock } from '#kernel/time/clock.js';
import type { Increment } from '#metrics/counters.js';
import type { Engine } from '#store/threads/serve-database.js';
import type { Inbox } from '#store/threads/inbox.js';
import type { Job } from '#store/threads/job-queue.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';
import { transactionNamed } from '#store/transaction.js';
import { busyProblem, isBusy, isDiskFailure } from './sqlite-errors.js';
import type { SqliteDatabase } from './connection.js';
import { SqliteTx, StatementCache } from './transaction.js';

/**
 * How long a commit gathers transactions at most, so that its first transaction does not wait for long. The limits are
 * high, because a commit costs about the same for one transaction as for hundreds, and many wait when many calls are
 * due at one instant (each runs for about 0.1 ms).
 */
const MAX_GATHERING_MS = 40;
/** The most transactions of a commit, for the same reason. */
const MAX_TRANSACTIONS = 512;

/** The actions that the engine leaves to `openSqlite`, which knows the file and its lock. */
interface CommitHooks {
  /** Called before each commit: throws if the commit would be lost, because the file was moved or removed. */
  assertInPlace: () => void;
  /** Runs after the connection is closed. */
  onClose: () => void;
}

/** The outcome of one job; its caller learns it after the commit. */
interface Outcome {
  job: Job;
  /** Answers the caller with the result or the error. */
  settle: (outbox: Outbox) => void;
  increments: readonly Increment[];
}

/**
 * The engine of the writer thread on SQLite. Runs all waiting transactions in one SQLite transaction, so that they
 * share one flush to the disk. At first they run without savepoints; when one fails after it has written, all are
 * rolled back and run again with a savepoint each. Callers are answered after the commit.
 */
export class GroupCommit implements Engine {
  readonly facts: ThreadFacts;
  readonly #database: SqliteDatabase;
  readonly #statements: StatementCache;
  readonly #hooks: CommitHooks;

  constructor(database: SqliteDatabase, facts: ThreadFacts, hooks: CommitHooks) {
    this.#database = database;
    this.#statements = new StatementCache(database);
    this.facts = facts;
    this.#hooks = hooks;
  }

  async serve(inbox: Inbox, outbox: Outbox): Promise<void> {
    while (await inbox.waitForJob()) {
      await this.#commitGroup(inbox, outbox);
      outbox.flush();
    }
  }

  async close(): Promise<void> {
    this.#database.pragma('optimize');
    // Empties the write-ahead log, so that the next start finds the database file alone.
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.close();
    this.#hooks.onClose();
  }

  /**
   * Runs and commits the jobs that wait, or fails them all while another program holds the database.
   * @throws Error if the disk fails or the file was moved: nothing was committed
   */
  async #commitGroup(inbox: Inbox, outbox: Outbox): Promise<void> {
    const jobs: Job[] = [];
    try {
      this.#execute('begin immediate');
      const outcomes = (await this.#runTogether(inbox, jobs)) ?? (await this.#runApart(jobs));
      this.#hooks.assertInPlace();
      const startedMs = systemClock.monotonicMs();
      this.#execute('commit');
      const commitMs = systemClock.monotonicMs() - startedMs;
      for (const outcome of outcomes) outcome.settle(outbox);
      outbox.committed(
        commitMs,
        outcomes.flatMap(({ increments }) => increments),
      );
    } catch (error) {
      if (this.#database.inTransaction) this.#execute('rollback');
      // Any other error ends the thread: the store is lost.
      if (!isBusy(error)) throw error;
      // `begin` already found the database locked.
      if (jobs.length === 0) jobs.push(...takeAll(inbox));
      for (const job of jobs) outbox.fail(job.id, busyProblem());
    }
  }

  /**
   * Runs waiting jobs in the open transaction, and those that arrive meanwhile, up to the limits of a commit; adds each
   * to `jobs`. If a job fails after it has written, returns null: all jobs were rolled back, and a new transaction is
   * open.
   */
  async #runTogether(inbox: Inbox, jobs: Job[]): Promise<Outcome[] | null> {
    const startedMs = systemClock.monotonicMs();
    const outcomes: Outcome[] = [];
    for (let job = inbox.takeOrReceive(); job; job = inbox.takeOrReceive()) {
      jobs.push(job);
      const { outcome, failed, wrote } = await this.#runTransaction(job);
      if (failed && wrote) {
        this.#execute('rollback');
        this.#execute('begin immediate');
        return null;
      }
      outcomes.push(outcome);
      if (jobs.length >= MAX_TRANSACTIONS || systemClock.monotonicMs() - startedMs > MAX_GATHERING_MS) break;
    }
    return outcomes;
  }

  /** Runs the same jobs again with a savepoint each, so that a failing job undoes only itself. */
  async #runApart(jobs: readonly Job[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const job of jobs) {
      this.#execute('savepoint job');
      const { outcome, failed } = await this.#runTransaction(job);
      if (failed) this.#execute('rollback to job');
      this.#execute('release job');
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Runs one job in the open transaction. @throws Error if the disk fails: no job can be committed then */
  async #runTransaction(job: Job): Promise<{ outcome: Outcome; failed: boolean; wrote: boolean }> {
    const tx = new SqliteTx(this.#statements);
    try {
      const result = await transactionNamed(job.transaction)(tx, job.args as never);
      const outcome = {
        job,
        settle: (outbox: Outbox) => outbox.succeed(job.id, result),
        increments: tx.increments,
      };
      return { outcome, failed: false, wrote: tx.hasWritten };
    } catch (error) {
      // Some errors of SQLite roll the whole transaction back: then no job of this commit has been written.
      if (isDiskFailure(error) || !this.#database.inTransaction) throw error;
      const outcome = { job, settle: (outbox: Outbox) => outbox.fail(job.id, error), increments: [] };
      return { outcome, failed: true, wrote: tx.hasWritten };
    } finally {
      tx.end();
    }
  }

  #execute(sql: string): void {
    this.#statements.get(sql).run();
  }
}

function takeAll(inbox: Inbox): Job[] {
  const jobs: Job[] = [];
  for (let job = inbox.take(); job; job = inbox.take()) jobs.push(job);
  return jobs;
}
