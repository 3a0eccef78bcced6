import type { SqlValue, Tx } from '#store/transaction.js';

/**
 * Sets columns of the rows that match `where`, and resolves with how many there were. Table and column names must be
 * constants, never input.
 * @param change.where column values, none of them null: `= null` matches no row
 */
export function update(
  tx: Tx,
  table: string,
  change: { set: Readonly<Record<string, SqlValue>>; where: Readonly<Record<string, string | number>> },
): Promise<number> {
  const assignments = Object.keys(change.set).map((column) => `${column} = ?`);
  const conditions = Object.keys(change.where).map((column) => `${column} = ?`);
  return tx.run(
    `update ${table} set ${assignments.join(', ')} where ${conditions.join(' and ')}`,
    ...Object.values(change.set),
    ...Object.values(change.where),
  );
}
