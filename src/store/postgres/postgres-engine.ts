import pg, { type Pool, type PoolClient } from 'pg';
import { systemClock, sleep } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Increment } from '#metrics/counters.js';
import type { Engine } from '#store/threads/serve-database.js';
import type { Inbox } from '#store/threads/inbox.js';
import { JobQueue, type Job } from '#store/threads/job-queue.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';
import { subjectOfTransaction, transactionNamed } from '#store/transaction.js';
import { MAX_WAIT_FOR_SERVER_MS, CONNECTIONS } from './connect.js';
import { Outage } from './outage.js';
import {
  isOutOfConnections,
  isReadOnly,
  isAnswerTimeout,
  isConflict,
  translateError,
  unavailable,
} from './postgres-errors.js';
import { pipelineOf, type Pipeline } from './pipeline.js';
import { runInOneTransaction, takeJobsToShare, type Outcome } from './shared-transaction.js';
import { PostgresTx, NamedStatements } from './transaction.js';

/** The most attempts at a transaction that conflicts with another transaction. */
const MAX_TRIES = 5;
/** The first pause between these attempts is twice this time, and each further pause doubles: 10, 20, 40 and 80 ms. */
const PAUSE_UNIT_MS = 5;

/** The pause before a transaction that found no free connection at the server is tried again. */
const NO_CONNECTION_PAUSE_MS = 100;

/**
 * The least time for an attempt to connect, however long its caller has waited: enough for a server that refuses the
 * connection to say why.
 */
const MIN_CONNECT_MS = 250;

type Role = 'writer' | 'reader';

/**
 * How long transactions that share a commit wait for a lock of another process or transaction (milliseconds); after
 * that, each runs by itself. They hold the locks of many subjects, taken in any order, so the wait may be a deadlock.
 */
const SHARED_LOCK_TIMEOUT_MS = 100;
const SET_SHARED_LOCK_TIMEOUT = `set local lock_timeout = ${SHARED_LOCK_TIMEOUT_MS}`;

/** The result of a transaction that was committed, and how long the commit took. */
interface Committed<Result> {
  result: Result;
  commitMs: number;
}

/** Thrown when a shared transaction failed: it is rolled back, and each of its transactions runs by itself. */
class SharedTransactionFailed extends Error {}

/** Each transaction of the reader sees one snapshot of the database, as on SQLite. */
const BEGIN = {
  writer: 'begin isolation level read committed',
  reader: 'begin isolation level repeatable read read only',
} satisfies Record<Role, string>;

/**
 * Runs the transactions of a store thread on PostgreSQL, on two kinds of workers (`CONNECTIONS`). A worker of the first
 * kind runs one transaction at a time on a connection. A worker of the second kind runs the waiting transactions that
 * may share a commit (`shareCommits`), if there are at least two, in one database transaction. Transactions that arrive
 * meanwhile share the next one.
 */
export class PostgresEngine implements Engine {
  readonly facts: ThreadFacts;
  readonly #pool: Pool;
  readonly #texts = new NamedStatements();
  readonly #role: Role;
  readonly #outage: Outage;
  /** When the server last confirmed the begin of a transaction (monotonic). */
  #lastReachedMs = -Infinity;
  /**
   * When a connection last could not be made or became unusable (monotonic). A server without a free connection does
   * not count.
   */
  #lastLostMs = -Infinity;

  /** @param warn writes a warning for the operator */
  constructor(
    pool: Pool,
    facts: ThreadFacts,
    { role, warn }: { role: Role; warn: (message: string, reason: string) => void },
  ) {
    this.#pool = pool;
    this.facts = facts;
    this.#role = role;
    this.#outage = new Outage(systemClock, warn);
  }

  async serve(inbox: Inbox, outbox: Outbox): Promise<void> {
    const alone = new JobQueue();
    const sharing = new JobQueue();
    const workerCounts = CONNECTIONS[this.#role];
    const servingAlone = startTimes(workerCounts.alone, () => this.#serveAlone(alone, outbox));
    const servingShared = startTimes(workerCounts.sharing, () =>
      this.#serveSharing({ sharing, alone }, outbox),
    );
    while (await inbox.waitForJob()) {
      for (let job = inbox.take(); job; job = inbox.take()) {
        const mayShare = subjectOfTransaction(job.transaction, job.args) !== undefined;
        (mayShare ? sharing : alone).push(job);
      }
      sharing.wake();
      alone.wake();
    }
    // In this order: failed shared transactions are queued to run alone.
    sharing.close();
    await servingShared;
    alone.close();
    await servingAlone;
    outbox.flush();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** A worker that runs one transaction after the other. */
  async #serveAlone(queue: JobQueue, outbox: Outbox): Promise<void> {
    while (await queue.waitForJob()) {
      const job = queue.take();
      // Another worker has taken the job.
      if (!job) continue;
      if (this.#isServerLost(job)) {
        outbox.fail(job.id, unavailable());
        outbox.flushSoon();
        continue;
      }
      try {
        const { result: finished, commitMs } = await this.#perform(job);
        outbox.succeed(job.id, finished.result);
        // A reader commits no changes: its commits are not measured.
        if (this.#role === 'writer') outbox.committed(commitMs, finished.increments);
        this.#outage.noteSuccess();
      } catch (error) {
        // Another process may free a connection soon.
        if (isOutOfConnections(error) && !this.#hasWaitedLong(job)) {
          queue.putBack(job);
          await sleep(systemClock, NO_CONNECTION_PAUSE_MS);
          continue;
        }
        outbox.fail(job.id, this.#errorForCaller(error));
      }
      outbox.flushSoon();
    }
  }

  /**
   * A worker that takes all waiting jobs (up to a limit) and runs them in one database transaction, again and again. A
   * single job, and jobs that must run by themselves after all, go to the queue of the other workers.
   */
  async #serveSharing(
    { sharing, alone }: { sharing: JobQueue; alone: JobQueue },
    outbox: Outbox,
  ): Promise<void> {
    while (await sharing.waitForJob()) {
      const jobs = takeJobsToShare(sharing);
      if (jobs.length === 0) continue;
      if (jobs.length === 1 || jobs.some((job) => this.#isServerLost(job))) {
        alone.pushAll(jobs);
        continue;
      }
      try {
        const { result: outcomes, commitMs } = await this.#runSharing(jobs);
        for (const outcome of outcomes) this.#settle(outcome, outbox);
        if (this.#role === 'writer')
          outbox.committed(
            commitMs,
            outcomes.flatMap(({ increments }) => increments),
          );
        this.#outage.noteSuccess();
      } catch (error) {
        if (error instanceof SharedTransactionFailed || isOutOfConnections(error)) alone.pushAll(jobs);
        else for (const job of jobs) outbox.fail(job.id, this.#errorForCaller(error));
      }
      outbox.flushSoon();
    }
  }

  /** Answers the caller of a job that shared a commit. */
  #settle(outcome: Outcome, outbox: Outbox): void {
    if (outcome.isDone) outbox.succeed(outcome.job.id, outcome.result);
    else outbox.fail(outcome.job.id, this.#errorForCaller(outcome.error));
  }

  /**
   * True if the server was lost and no transaction has reached it since, while this job has waited too long. The job is
   * then refused without another attempt: where a network drops packets, each attempt would wait for its timeout, and
   * the jobs in the queue would wait one after the other.
   */
  #isServerLost(job: Job): boolean {
    return this.#lastLostMs > this.#lastReachedMs && this.#hasWaitedLong(job);
  }

  #hasWaitedLong(job: Job): boolean {
    return this.#waitedMs(job) >= MAX_WAIT_FOR_SERVER_MS;
  }

  /** How long a job has waited, from its arrival or, if that is later, the last transaction that reached the server. */
  #waitedMs(job: Job): number {
    return systemClock.monotonicMs() - Math.max(job.arrivedAtMs, this.#lastReachedMs);
  }

  /**
   * The error for the caller. If the server cannot be used, the caller gets only `unavailable`, and the operator gets a
   * report with the cause.
   */
  #errorForCaller(error: unknown): unknown {
    const translated = translateError(error);
    if (translated instanceof Problem && translated !== error) this.#outage.noteFailure(error);
    return translated;
  }

  /** Runs a job in a transaction, up to {@link MAX_TRIES} times if it conflicts with another transaction. */
  async #perform(job: Job): Promise<Committed<{ result: unknown; increments: readonly Increment[] }>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#inTransaction(this.#waitedMs(job), (pipeline) =>
          this.#runTransaction(pipeline, job),
        );
      } catch (error) {
        if (!isConflict(error) || tries === MAX_TRIES) throw error;
        await sleep(systemClock, PAUSE_UNIT_MS * 2 ** tries);
      }
    }
  }

  /** Runs jobs in one shared transaction. @throws SharedTransactionFailed if each must run by itself */
  async #runSharing(jobs: readonly Job[]): Promise<Committed<readonly Outcome[]>> {
    const waitedMs = Math.max(...jobs.map((job) => this.#waitedMs(job)));
    try {
      return await this.#inTransaction(waitedMs, async (pipeline) => {
        doNotAwait(pipeline.run(this.#texts.get(SET_SHARED_LOCK_TIMEOUT)));
        const outcomes = await runInOneTransaction(pipeline, this.#texts, jobs);
        if (outcomes === null)
          throw new SharedTransactionFailed('a transaction failed after it had changed something');
        return outcomes;
      });
    } catch (error) {
      // An error of the server, such as a conflict or the lock timeout: alone, most of the jobs succeed.
      const isOfStatement = error instanceof pg.DatabaseError && !isOutOfConnections(error);
      throw isOfStatement ? new SharedTransactionFailed(error.message) : error;
    }
  }

  /**
   * Runs work between `begin` and `commit`, on a connection of the pool. `begin` travels with the first statement; a
   * reader does not wait for `commit`. An error rolls the transaction back.
   * @param waitedMs how long the caller has waited already
   * @throws Problem `unavailable` if the connection is lost; the error of the work; or the server's
   */
  async #inTransaction<Result>(
    waitedMs: number,
    work: (pipeline: Pipeline) => Promise<Result>,
  ): Promise<Committed<Result>> {
    const client = await this.#connect(waitedMs);
    const pipeline = pipelineOf(client);
    let isBroken = false;
    try {
      const begun = pipeline.run(this.#texts.get(BEGIN[this.#role]));
      doNotAwait(begun.then(() => (this.#lastReachedMs = systemClock.monotonicMs())));
      const result = await work(pipeline);
      const startedMs = systemClock.monotonicMs();
      const committing = pipeline.run(this.#texts.get('commit'));
      // A reader has its result already: its caller need not wait for the end of the transaction.
      if (this.#role === 'reader') committing.catch(() => {});
      else await committing;
      return { result, commitMs: systemClock.monotonicMs() - startedMs };
    } catch (error) {
      // After a failover the old primary is read-only: a new connection may reach the new primary.
      const isDemoted = this.#role === 'writer' && isReadOnly(error);
      isBroken = isDemoted || isAnswerTimeout(error) || !(await rollBack(pipeline));
      throw isBroken ? this.#noteLoss(error) : error;
    } finally {
      // The pool closes a broken connection.
      client.release(isBroken);
    }
  }

  /**
   * Takes a connection of the pool, within what is left of `MAX_WAIT_FOR_SERVER_MS` after the time that the caller has
   * waited. A connection that comes later goes back to the pool.
   * @throws Problem `unavailable`, or the server's error if it has no free connection
   */
  async #connect(waitedMs: number): Promise<PoolClient> {
    const connecting = this.#pool.connect();
    const limitMs = Math.max(MIN_CONNECT_MS, MAX_WAIT_FOR_SERVER_MS - waitedMs);
    const onTimeout = () => {
      connecting.then(
        (late) => late.release(),
        () => {},
      );
      throw new Error('no connection in time');
    };
    try {
      return await withTimeout(connecting, { clock: systemClock, limitMs, onTimeout });
    } catch (error) {
      throw isOutOfConnections(error) ? error : this.#noteLoss(error);
    }
  }

  /** Notes that there is no connection, or a broken one; returns the error for the caller. */
  #noteLoss(error: unknown): Problem {
    this.#lastLostMs = systemClock.monotonicMs();
    this.#outage.noteFailure(error);
    return unavailable();
  }

  /**
   * Runs the function of a job's transaction.
   * @throws Error of the function, or of an SQL statement that it did not await
   */
  async #runTransaction(
    pipeline: Pipeline,
    job: Job,
  ): Promise<{ result: unknown; increments: readonly Increment[] }> {
    const tx = new PostgresTx(pipeline, this.#texts);
    try {
      const result = await transactionNamed(job.transaction)(tx, job.args as never);
      if (tx.failure) throw tx.failure.error;
      if (pipeline.hasFailed)
        throw new Error(`${job.transaction} went on after an SQL error: nothing was written`);
      return { result, increments: tx.increments };
    } finally {
      tx.end();
    }
  }
}

/** Rolls a transaction back; resolves with false if the connection does not allow it, and is therefore unusable. */
async function rollBack(pipeline: Pipeline): Promise<boolean> {
  try {
    await pipeline.rollback().catch((error: unknown) => {
      if (isAnswerTimeout(error)) throw error;
      // A statement that was posted earlier has failed meanwhile, and the rollback behind it was not run.
      return pipeline.rollback();
    });
    return true;
  } catch {
    return false;
  }
}

/** Lets a statement run without waiting for it: its error also fails all statements behind it, the commit included. */
function doNotAwait(statement: Promise<unknown>): void {
  statement.catch(() => {});
}

/** Starts something `count` times; resolves when all of them have ended. */
async function startTimes(count: number, start: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, start));
}
