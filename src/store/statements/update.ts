import type { SqlValue, Tx } from '#store/transaction.js';

/** The new values of columns, and the values by which the rows to change are found. */
interface Change {
  set: Readonly<Record<string, SqlValue>>;
  /** Column values, none of them null: `= null` matches no row. */
  where: Readonly<Record<string, string | number>>;
}

/**
 * Sets columns of the rows that match `where`, and resolves with how many there were. Used by the stores of all
 * modules. Table and column names must be constants, never input.
 */
export function update(tx: Tx, table: string, change: Change): Promise<number> {
  const { sql, values } = updateOf(table, change);
  return tx.run(sql, ...values);
}

/** {@link update} without waiting for the outcome: see `Tx.post`. */
export function postUpdate(tx: Tx, table: string, change: Change): void {
  const { sql, values } = updateOf(table, change);
  tx.post(sql, ...values);
}

/** The text of an update (`update calls set status = ? where id = ?`), and its values. */
function updateOf(table: string, change: Change): { sql: string; values: SqlValue[] } {
  const assignments = Object.keys(change.set).map((column) => `${column} = ?`);
  const conditions = Object.keys(change.where).map((column) => `${column} = ?`);
  return {
    sql: `update ${table} set ${assignments.join(', ')} where ${conditions.join(' and ')}`,
    values: [...Object.values(change.set), ...Object.values(change.where)],
  };
}
