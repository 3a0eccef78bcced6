import { blankRow } from '#store/statements/blank-row.js';
import type { SqlRow, SqlValue } from '#store/transaction.js';
import type { SqliteDatabase, SqliteStatement } from './connection.js';

/**
 * A prepared statement, made and kept by `StatementCache`. better-sqlite3 returns its rows as arrays, which takes half
 * the time of objects on Node 20; the objects are made here.
 */
export class Prepared {
  /** False for a statement that may write. */
  readonly readonly: boolean;
  readonly #statement: SqliteStatement;
  /** Names of the columns; empty for a statement that returns no rows. */
  readonly #columns: readonly string[];
  /** A row of nulls with these columns, to copy. */
  readonly #blank: SqlRow;

  constructor(database: SqliteDatabase, sql: string) {
    this.#statement = database.prepare<unknown[], unknown[]>(sql);
    this.readonly = this.#statement.readonly;
    const { reader } = this.#statement;
    this.#columns = reader ? this.#statement.columns().map(({ name }) => name) : [];
    this.#blank = blankRow(this.#columns);
    if (reader) this.#statement.raw();
  }

  /** Runs the statement and returns all rows; an empty list for a statement that returns none. */
  all(values: readonly SqlValue[]): SqlRow[] {
    if (this.#statement.reader) return this.#statement.all(...values).map((row) => this.#named(row));
    this.#statement.run(...values);
    return [];
  }

  /** Runs the statement and returns the first row; undefined without rows. */
  get(values: readonly SqlValue[]): SqlRow | undefined {
    if (this.#statement.reader) {
      const row = this.#statement.get(...values);
      return row && this.#named(row);
    }
    this.#statement.run(...values);
    return undefined;
  }

  /** Runs the statement and returns how many rows it changed, or returned if it returns rows. */
  run(values: readonly SqlValue[] = []): number {
    if (this.#statement.reader) return this.#statement.all(...values).length;
    return this.#statement.run(...values).changes;
  }

  /** The row as an object, by the names of the columns. */
  #named(values: readonly unknown[]): SqlRow {
    const row = { ...this.#blank };
    for (let i = 0; i < values.length; i++) row[this.#columns[i]!] = values[i];
    return row;
  }
}
