import type { Increment } from '#metrics/counters.js';
import { checkValues, type Dialect, type SqlRow, type SqlValue, type Tx } from '#store/transaction.js';
import type { SqliteDatabase } from './connection.js';
import { Prepared } from './prepared.js';

const dialect: Dialect = { engine: 'sqlite', skipLocked: '', forUpdate: '', clock: null };

/** More than the statements of the service; texts with a varying number of placeholders evict the oldest. */
const STATEMENTS_KEPT = 500;

/** Prepared statements by their text. */
export class StatementCache {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Prepared(this.#database, sql);
    if (this.#statements.size >= STATEMENTS_KEPT) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A transaction. SQLite answers synchronously, so its promises are settled when they are returned. */
export class SqliteTx implements Tx {
  readonly dialect = dialect;
  /** Counters to publish after the commit. */
  readonly increments: Increment[] = [];
  readonly #statements: StatementCache;
  #wrote = false;
  #ended = false;

  constructor(statements: StatementCache) {
    this.#statements = statements;
  }

  /** True once a statement ran that may have changed something. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Refuses further statements: one that was not awaited must not run in the next transaction of the connection. */
  end(): void {
    this.#ended = true;
  }

  async all(sql: string, ...values: SqlValue[]): Promise<SqlRow[]> {
    return this.#prepare(sql, values).all(values);
  }

  async get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined> {
    return this.#prepare(sql, values).get(values);
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    return this.#prepare(sql, values).run(values);
  }

  post(sql: string, ...values: SqlValue[]): void {
    this.#prepare(sql, values).run(values);
  }

  /** Nothing else writes meanwhile. */
  async lock(): Promise<void> {}

  count(increment: Increment): void {
    this.increments.push(increment);
  }

  #prepare(sql: string, values: readonly SqlValue[]): Prepared {
    if (this.#ended) throw new Error('a statement was run after its transaction had ended');
    checkValues(values);
    const statement = this.#statements.get(sql);
    this.#wrote ||= !statement.readonly;
    return statement;
  }
}
