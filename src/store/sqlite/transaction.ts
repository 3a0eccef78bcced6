import type { Increment } from '#metrics/counters.js';
import { checkValues, type Dialect, type SqlRow, type SqlValue, type Tx } from '#store/transaction.js';
import type { SqliteDatabase } from './connection.js';
import { Prepared } from './prepared.js';

/** Nothing else writes to the file while the one writer has it: rows need no locks, the machine's clock is enough. */
const dialect: Dialect = { engine: 'sqlite', skipLocked: '', forUpdate: '', clock: null };

/**
 * The size of the statement cache: room for all fixed texts of the service. Texts whose number of placeholders varies
 * may fill it; then the statement that was prepared first leaves.
 */
const MAX_STATEMENTS = 500;

/** A cache of prepared statements by their text. */
export class StatementCache {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** The prepared statement of a text, which is prepared at its first use. */
  get(sql: string): Prepared {
    const prepared = this.#statements.get(sql);
    if (prepared) return prepared;
    const statement = new Prepared(this.#database, sql);
    if (this.#statements.size >= MAX_STATEMENTS) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * A transaction of the writer or reader thread. SQLite answers synchronously, so its promises are settled when they are
 * returned.
 */
export class SqliteTx implements Tx {
  readonly dialect = dialect;
  /** Counters to publish after the commit. */
  readonly increments: Increment[] = [];
  readonly #statements: StatementCache;
  #hasWritten = false;
  /** True after the transaction: see `end`. */
  #ended = false;

  constructor(statements: StatementCache) {
    this.#statements = statements;
  }

  /** True once a statement was run that may have changed something. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Refuses further statements: a statement that was not awaited must not run in the next transaction. */
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

  /** Does nothing: SQLite has one writer. */
  async lock(): Promise<void> {}

  count(increment: Increment): void {
    this.increments.push(increment);
  }

  /** The statement to run, after the checks of the transaction and the values. */
  #prepare(sql: string, values: readonly SqlValue[]): Prepared {
    if (this.#ended) throw new Error('a statement was run after its transaction had ended');
    checkValues(values);
    const statement = this.#statements.get(sql);
    this.#hasWritten ||= !statement.readonly;
    return statement;
  }
}
