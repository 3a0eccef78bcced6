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
import { LONGEST_UNREACHED_MS, WORKERS } from './connect.js';
import { Outage } from './outage.js';
import {
  isCrowded,
  isReadOnly,
  isSilence,
  isWorthRepeating,
  translateError,
  unavailable,
} from './postgres-errors.js';
import { pipelineOf, type Pipeline } from './pipeline.js';
import { runSharing, takeSharing, type Outcome } from './shared-transaction.js';
import { PostgresTx, StatementTexts } from './transaction.js';

/** Attempts at a transaction that conflicts with another; the pause between attempts doubles from the first. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 5;

/** The pause before a transaction is queued again because the server has no free connection. */
const CROWDED_PAUSE_MS = 100;

/** What is left for an attempt to connect at least: a server that refuses says why within this time. */
const SHORTEST_CONNECT_MS = 250;

type Role = 'writer' | 'reader';

/**
 * How long transactions that share a commit wait for a lock that another process or transaction holds (milliseconds).
 * Then each runs by itself: they hold locks of many subjects in any order, and must give way before a deadlock lasts.
 */
const SHARED_LOCK_TIMEOUT_MS = 100;
const SET_SHARED_LOCK_TIMEOUT = `set local lock_timeout = ${SHARED_LOCK_TIMEOUT_MS}`;

/** What was committed, and how long the commit took. */
interface Committed<Result> {
  result: Result;
  commitMs: number;
}

/** Thrown to roll back a transaction that several share, and to run each of them by itself. */
class Spoiled extends Error {}

/** Readers see one snapshot, as on SQLite. */
const BEGIN = {
  writer: 'begin isolation level read committed',
  reader: 'begin isolation level repeatable read read only',
} satisfies Record<Role, string>;

/**
 * Runs transactions on PostgreSQL: each on a connection of its own, several at once; those that may share a commit
 * gather while another such commit is under way.
 */
export class PostgresEngine implements Engine {
  readonly facts: ThreadFacts;
  readonly #pool: Pool;
  readonly #texts = new StatementTexts();
  readonly #role: Role;
  readonly #outage: Outage;
  /** When a transaction last began (monotonic). */
  #reachedAtMs = -Infinity;
  /** When a transaction last got no connection or lost it (monotonic). */
  #lostAtMs = -Infinity;

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
    const workers = WORKERS[this.#role];
    const serving = times(workers.alone, () => this.#serveAlone(alone, outbox));
    const servingShared = times(workers.sharing, () => this.#serveSharing({ sharing, alone }, outbox));
    while (await inbox.some()) {
      for (let job = inbox.next(); job; job = inbox.next()) {
        const mayShare = subjectOfTransaction(job.transaction, job.args) !== undefined;
        (mayShare ? sharing : alone).push(job);
      }
      sharing.wake();
      alone.wake();
    }
    sharing.close();
    await servingShared;
    alone.close();
    await serving;
    outbox.flush();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Runs one transaction after the other, each on a connection of the pool. */
  async #serveAlone(queue: JobQueue, outbox: Outbox): Promise<void> {
    while (await queue.some()) {
      const job = queue.next();
      if (!job) continue;
      if (this.#isServerLost(job)) {
        outbox.fail(job.id, unavailable());
        outbox.flushSoon();
        continue;
      }
      try {
        const { result: ran, commitMs } = await this.#perform(job);
        outbox.succeed(job.id, ran.result);
        if (this.#role === 'writer') outbox.committed(commitMs, ran.increments);
        this.#outage.over();
      } catch (error) {
        if (isCrowded(error) && !this.#hasWaitedLong(job)) {
          queue.giveBack(job);
          await sleep(systemClock, CROWDED_PAUSE_MS);
          continue;
        }
        outbox.fail(job.id, this.#errorForCaller(error));
      }
      outbox.flushSoon();
    }
  }

  /** Runs all that wait in one transaction, time after time. Where that fails, each is run by itself. */
  async #serveSharing(
    { sharing, alone }: { sharing: JobQueue; alone: JobQueue },
    outbox: Outbox,
  ): Promise<void> {
    while (await sharing.some()) {
      const jobs = takeSharing(sharing);
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
        this.#outage.over();
      } catch (error) {
        if (error instanceof Spoiled || isCrowded(error)) alone.pushAll(jobs);
        else for (const job of jobs) outbox.fail(job.id, this.#errorForCaller(error));
      }
      outbox.flushSoon();
    }
  }

  #settle(outcome: Outcome, outbox: Outbox): void {
    if (outcome.isDone) outbox.succeed(outcome.job.id, outcome.result);
    else outbox.fail(outcome.job.id, this.#errorForCaller(outcome.error));
  }

  /**
   * True if no transaction has reached the server while this one waited. Another attempt would wait for a connection
   * timeout again where packets are dropped; with many waiting, the last caller would be answered far too late.
   */
  #isServerLost(job: Job): boolean {
    return this.#lostAtMs > this.#reachedAtMs && this.#hasWaitedLong(job);
  }

  #hasWaitedLong(job: Job): boolean {
    return this.#waitedMs(job) >= LONGEST_UNREACHED_MS;
  }

  /** The time counts from the last transaction that reached the server: a queue that moves gives this one its turn. */
  #waitedMs(job: Job): number {
    return systemClock.monotonicMs() - Math.max(job.cameAtMs, this.#reachedAtMs);
  }

  /** The error for the caller. An error of the server that the caller does not see is reported to the operator. */
  #errorForCaller(error: unknown): unknown {
    const translated = translateError(error);
    if (translated instanceof Problem && translated !== error) this.#outage.met(error);
    return translated;
  }

  async #perform(job: Job): Promise<Committed<{ result: unknown; increments: readonly Increment[] }>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#inTransaction(this.#waitedMs(job), (pipeline) =>
          this.#runTransaction(pipeline, job),
        );
      } catch (error) {
        if (!isWorthRepeating(error) || tries === MOST_TRIES) throw error;
        await sleep(systemClock, FIRST_PAUSE_MS * 2 ** tries);
      }
    }
  }

  async #runSharing(jobs: readonly Job[]): Promise<Committed<readonly Outcome[]>> {
    const waitedMs = Math.max(...jobs.map((job) => this.#waitedMs(job)));
    try {
      return await this.#inTransaction(waitedMs, async (pipeline) => {
        const set = pipeline.run(this.#texts.get(SET_SHARED_LOCK_TIMEOUT));
        const outcomes = await whenBoth(set, runSharing(pipeline, this.#texts, jobs));
        if (outcomes === null) throw new Spoiled('a transaction failed after it had changed something');
        return outcomes;
      });
    } catch (error) {
      throw error instanceof pg.DatabaseError && !isCrowded(error) ? new Spoiled(error.message) : error;
    }
  }

  /**
   * Runs work between `begin` and `commit`, on a connection of the pool. `begin` travels with its first statement.
   * @param waitedMs how long its caller has waited already
   */
  async #inTransaction<Result>(
    waitedMs: number,
    work: (pipeline: Pipeline) => Promise<Result>,
  ): Promise<Committed<Result>> {
    const client = await this.#connect(waitedMs);
    const pipeline = pipelineOf(client);
    let broken = false;
    try {
      const begun = pipeline.run(this.#texts.get(BEGIN[this.#role])).then(() => {
        this.#reachedAtMs = systemClock.monotonicMs();
      });
      const result = await whenBoth(begun, work(pipeline));
      const startedMs = systemClock.monotonicMs();
      const committing = pipeline.run(this.#texts.get('commit'));
      // What was read is known. The next transaction of the connection travels behind the end of this one.
      if (this.#role === 'reader') committing.catch(() => {});
      else await committing;
      return { result, commitMs: systemClock.monotonicMs() - startedMs };
    } catch (error) {
      // After a failover the old primary is read-only: a new connection may reach the new primary.
      const isDemoted = this.#role === 'writer' && isReadOnly(error);
      broken = isDemoted || isSilence(error) || !(await rolledBack(pipeline));
      throw broken ? this.#lost(error) : error;
    } finally {
      client.release(broken);
    }
  }

  /** Connects for what is left of the time that callers wait at most: where a server is silent, it began with them. */
  async #connect(waitedMs: number): Promise<PoolClient> {
    const connecting = this.#pool.connect();
    const limitMs = Math.max(SHORTEST_CONNECT_MS, LONGEST_UNREACHED_MS - waitedMs);
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
      throw isCrowded(error) ? error : this.#lost(error);
    }
  }

  /** Notes that there is no connection, or a broken one; returns the error for the caller. */
  #lost(error: unknown): Problem {
    this.#lostAtMs = systemClock.monotonicMs();
    this.#outage.met(error);
    return unavailable();
  }

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

async function rolledBack(pipeline: Pipeline): Promise<boolean> {
  try {
    await pipeline.rollback();
    return true;
  } catch {
    return false;
  }
}

/**
 * Waits for a preparation and for the work that was started behind it; both are over when this resolves or rejects, so
 * that nothing of them runs later on the connection.
 */
async function whenBoth<Result>(preparation: Promise<unknown>, work: Promise<Result>): Promise<Result> {
  const [prepared, worked] = await Promise.allSettled([preparation, work]);
  if (prepared.status === 'rejected') throw prepared.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

/** Starts something several times; resolves when all of them are done. */
async function times(count: number, start: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, start));
}
