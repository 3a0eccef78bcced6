import type { SqlValue, Tx } from '#store/unit.js';

/**
 * Writes some columns of the rows whose other columns have the given values, and returns how many there were. Table and
 * column names are ours, never input.
 * @param change.where no value of it may be null: nothing equals that
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
