import type { Tally } from '#metrics/tallies.js';
import { checkValues } from '#store/statements/sql-values.js';
import type { Dialect, SqlRow, SqlValue, Tx } from '#store/unit.js';
import type { SqliteDatabase } from './connection.js';
import { Prepared } from './prepared.js';

const dialect: Dialect = { engine: 'sqlite', skipLocked: '', forUpdate: '', clock: null };

/** Enough for every statement of the service; texts built with a varying number of placeholders push out the oldest. */
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

/** A transaction as one unit sees it. SQLite answers at once, so its promises are settled when they are returned. */
export class SqliteTx implements Tx {
  readonly dialect = dialect;
  /** What this unit has counted. */
  readonly tallies: Tally[] = [];
  readonly #statements: StatementCache;
  #wrote = false;
  #ended = false;

  constructor(statements: StatementCache) {
    this.#statements = statements;
  }

  /** Has this unit run a statement that may have changed something? */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** The unit has returned; a statement that it forgot to await must not slip into another transaction. */
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

  tally(tally: Tally): void {
    this.tallies.push(tally);
  }

  #prepare(sql: string, values: readonly SqlValue[]): Prepared {
    if (this.#ended) throw new Error('a unit used its transaction after it had returned');
    checkValues(values);
    const statement = this.#statements.get(sql);
    this.#wrote ||= !statement.readonly;
    return statement;
  }
}
