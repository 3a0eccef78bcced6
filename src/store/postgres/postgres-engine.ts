import type { Pool, PoolClient } from 'pg';
import { systemClock, sleep } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Tally } from '#metrics/tallies.js';
import type { Engine } from '#store/threads/engine.js';
import type { Inbox, Job } from '#store/threads/inbox.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadFacts } from '#store/threads/thread-protocol.js';
import { unitNamed } from '#store/unit.js';
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

/** How often a unit is tried when it collides with another transaction, and the first pause between two tries. */
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 5;

/** The pause between two tries to get a connection while the server allows no more of them. */
const CROWDED_PAUSE_MS = 100;

type Role = 'writer' | 'reader';

/** What a unit that is committed came to. */
interface Done {
  result: unknown;
  tallies: readonly Tally[];
  commitMs: number;
}

/** A unit that reads sees one snapshot, as it does on SQLite. */
const BEGIN = {
  writer: 'begin isolation level read committed',
  reader: 'begin isolation level repeatable read read only',
} satisfies Record<Role, string>;

/** Each unit is a transaction of its own; as many run side by side as the pool has connections. */
export class PostgresEngine implements Engine {
  readonly facts: ThreadFacts;
  readonly #pool: Pool;
  readonly #texts = new StatementTexts();
  readonly #role: Role;
  readonly #outage: Outage;
  /** When the server last let a unit begin. */
  #reachedAtMs = -Infinity;
  /** When a unit last found no server, or lost its connection. */
  #lostAtMs = -Infinity;

  /** @param warn tells the operator what no caller is told */
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

  /** One unit after the other, each on a connection of the pool. */
  async #serveOne(inbox: Inbox, outbox: Outbox): Promise<void> {
    while (await inbox.some()) {
      const job = inbox.next();
      if (!job) continue;
      if (this.#isHopeless(job)) {
        outbox.fail(job.id, unavailable());
        outbox.flushSoon();
        continue;
      }
      try {
        const { result, commitMs, tallies } = await this.#perform(job);
        outbox.succeed(job.id, result);
        if (this.#role === 'writer') outbox.committed(commitMs, tallies);
        this.#outage.over();
      } catch (error) {
        if (this.#mayWait(job, error)) {
          inbox.giveBack(job);
          await sleep(systemClock, CROWDED_PAUSE_MS);
          continue;
        }
        outbox.fail(job.id, this.#told(error));
      }
      outbox.flushSoon();
    }
  }

  #mayWait(job: Job, error: unknown): boolean {
    return isCrowded(error) && !this.#hasWaitedLong(job);
  }

  /**
   * Nobody has reached the server while this unit waited. To find that out once more for each of those that wait would
   * take seconds each, where packets are swallowed: the last would be told when nobody listens any more.
   */
  #isHopeless(job: Job): boolean {
    return this.#lostAtMs > this.#reachedAtMs && this.#hasWaitedLong(job);
  }

  /** As long as others of this process come to their turns, the next turn is this unit's, however late it is. */
  #hasWaitedLong(job: Job): boolean {
    const sinceMs = Math.max(job.cameAtMs, this.#reachedAtMs);
    return systemClock.monotonicMs() - sinceMs >= LONGEST_UNREACHED_MS;
  }

  /** What the caller is told of an error; what only the operator can help is told to the operator. */
  #told(error: unknown): unknown {
    const told = translateError(error);
    if (told instanceof Problem && told !== error) this.#outage.met(error);
    return told;
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
    const client = await this.#connect();
    let broken = false;
    try {
      await client.query(BEGIN[this.#role]);
      this.#reachedAtMs = systemClock.monotonicMs();
      const ran = await this.#runUnit(client, job);
      const startedMs = systemClock.monotonicMs();
      const { command } = await client.query('commit');
      // The server turns the commit of a failed transaction into a rollback, without an error.
      if (command !== 'COMMIT')
        throw new Error(`${job.unit} went on after an SQL error: nothing was written`);
      return { ...ran, commitMs: systemClock.monotonicMs() - startedMs };
    } catch (error) {
      // A new connection may reach the server that has taken over.
      const isDemoted = this.#role === 'writer' && isReadOnly(error);
      broken = isDemoted || isSilence(error) || !(await rolledBack(client));
      throw broken ? this.#lost(error) : error;
    } finally {
      client.release(broken);
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw isCrowded(error) ? error : this.#lost(error);
    }
  }

  /** There is no connection, or it is broken. */
  #lost(error: unknown): Problem {
    this.#lostAtMs = systemClock.monotonicMs();
    this.#outage.met(error);
    return unavailable();
  }

  async #runUnit(client: PoolClient, job: Job): Promise<Omit<Done, 'commitMs'>> {
    const tx = new PostgresTx(client, this.#texts);
    try {
      return { result: await unitNamed(job.unit)(tx, job.args as never), tallies: tx.tallies };
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
