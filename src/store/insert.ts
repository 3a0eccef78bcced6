import type { SqlValue, Tx } from './unit.js';

/** Inserts one row, column by column as the record names them. Table and column names are ours, never input. */
export async function insertInto(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  await tx.run(`insert into ${table} (${columns.join(', ')}) values (${places})`, ...Object.values(row));
}
