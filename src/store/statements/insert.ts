import { placeholders } from './placeholders.js';
import type { SqlValue, Tx } from '#store/transaction.js';

// Builds and runs insert statements, for the stores of all modules.

/**
 * The text of the last insert into each table, to use again: most rows of a table have the same columns, and building
 * the text is slow.
 */
const lastStatements = new Map<string, { columns: readonly string[]; onConflict: string; sql: string }>();

/**
 * Inserts one row and resolves with how many rows were inserted. Table and column names must be constants, never input.
 * @param onConflict `on conflict … do nothing`, if the row may exist
 */
export function insertInto(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
  onConflict = '',
): Promise<number> {
  return tx.run(insertSql(table, Object.keys(row), onConflict), ...Object.values(row));
}

/** {@link insertInto} without waiting for the outcome: a failure fails the transaction later, see `Tx.post`. */
export function postInsert(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
  onConflict = '',
): void {
  tx.post(insertSql(table, Object.keys(row), onConflict), ...Object.values(row));
}

/** {@link postInsert} of a row that may exist already, for writes that are repeated when their outcome is unknown. */
export function insertOnce(tx: Tx, table: string, row: Readonly<Record<string, SqlValue>>): void {
  postInsert(tx, table, row, 'on conflict do nothing');
}

/** The text of an insert: `insert into calls (id, status) values (?, ?)`. */
function insertSql(table: string, columns: readonly string[], onConflict: string): string {
  const last = lastStatements.get(table);
  const isSame = last?.columns.length === columns.length && last.onConflict === onConflict;
  if (isSame && last.columns.every((name, i) => name === columns[i])) return last.sql;
  const sql = `insert into ${table} (${columns.join(', ')}) values (${placeholders(columns)}) ${onConflict}`;
  lastStatements.set(table, { columns, onConflict, sql });
  return sql;
}
