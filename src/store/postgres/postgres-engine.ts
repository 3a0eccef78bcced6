import type { Pool, PoolClient } from 'pg';
import { systemClock, sleep } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Increment } from '#metrics/counters.js';
import type { Engine } from '#store/threads/serve-database.js';
import type { Inbox, Job } from '#store/threads/inbox.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';
import { transactionNamed } from '#store/transaction.js';
import { LONGEST_UNREACHED_MS, POOL_SIZES } from './connect.js';
import { Outage } from './outage.js';
import {
  isCrowded,
  isReadOnly,
  isSilence,
  isWorthRepeating,
  translateError,
  unavailable,
} from './postgres-errors.js';
import { PostgresTx, StatementTexts } from './transaction.js';

/** Attempts at a transaction that conflicts with another; the pause between attempts doubles from the first. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 5;

/** The pause before a transaction is queued again because the server has no free connection. */
const CROWDED_PAUSE_MS = 100;

/** What is left for an attempt to connect at least: a server that refuses says why within this time. */
const SHORTEST_CONNECT_MS = 250;

type Role = 'writer' | 'reader';

/** A committed transaction. */
interface Done {
  result: unknown;
  increments: readonly Increment[];
  commitMs: number;
}

/** Readers see one snapshot, as on SQLite. */
const BEGIN = {
  writer: 'begin isolation level read committed',
  reader: 'begin isolation level repeatable read read only',
} satisfies Record<Role, string>;

/** Runs transactions on PostgreSQL, as many at once as the pool has connections. */
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
    const size = POOL_SIZES[this.#role];
    await Promise.all(Array.from({ length: size }, () => this.#serveOne(inbox, outbox)));
    outbox.flush();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Runs one transaction after the other, each on a connection of the pool. */
  async #serveOne(inbox: Inbox, outbox: Outbox): Promise<void> {
    while (await inbox.some()) {
      const job = inbox.next();
      if (!job) continue;
      if (this.#isServerLost(job)) {
        outbox.fail(job.id, unavailable());
        outbox.flushSoon();
        continue;
      }
      try {
        const { result, commitMs, increments } = await this.#perform(job);
        outbox.succeed(job.id, result);
        if (this.#role === 'writer') outbox.committed(commitMs, increments);
        this.#outage.over();
      } catch (error) {
        if (isCrowded(error) && !this.#hasWaitedLong(job)) {
          inbox.giveBack(job);
          await sleep(systemClock, CROWDED_PAUSE_MS);
          continue;
        }
        outbox.fail(job.id, this.#errorForCaller(error));
      }
      outbox.flushSoon();
    }
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

  async #perform(job: Job): Promise<Done> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#runOnce(job);
      } catch (error) {
        if (!isWorthRepeating(error) || tries === MOST_TRIES) throw error;
        await sleep(systemClock, FIRST_PAUSE_MS * 2 ** tries);
      }
    }
  }

  async #runOnce(job: Job): Promise<Done> {
    const client = await this.#connect(job);
    let broken = false;
    try {
      await client.query(BEGIN[this.#role]);
      this.#reachedAtMs = systemClock.monotonicMs();
      const ran = await this.#runTransaction(client, job);
      const startedMs = systemClock.monotonicMs();
      const { command } = await client.query('commit');
      // PostgreSQL answers the commit of a failed transaction with a rollback, without an error.
      if (command !== 'COMMIT')
        throw new Error(`${job.transaction} went on after an SQL error: nothing was written`);
      return { ...ran, commitMs: systemClock.monotonicMs() - startedMs };
    } catch (error) {
      // After a failover the old primary is read-only: a new connection may reach the new primary.
      const isDemoted = this.#role === 'writer' && isReadOnly(error);
      broken = isDemoted || isSilence(error) || !(await rolledBack(client));
      throw broken ? this.#lost(error) : error;
    } finally {
      client.release(broken);
    }
  }

  /** Connects for what is left of the time that callers wait at most: where a server is silent, it began with them. */
  async #connect(job: Job): Promise<PoolClient> {
    const connecting = this.#pool.connect();
    const limitMs = Math.max(SHORTEST_CONNECT_MS, LONGEST_UNREACHED_MS - this.#waitedMs(job));
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

  async #runTransaction(client: PoolClient, job: Job): Promise<Omit<Done, 'commitMs'>> {
    const tx = new PostgresTx(client, this.#texts);
    try {
      return {
        result: await transactionNamed(job.transaction)(tx, job.args as never),
        increments: tx.increments,
      };
    } finally {
      tx.end();
    }
  }
}

async function rolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}
