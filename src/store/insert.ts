import type { SqlValue, Tx } from './unit.js';

/** The last text of each table: rows of a table mostly name the same columns, and long texts are dear to build. */
const texts = new Map<string, { columns: readonly string[]; sql: string }>();

/** Inserts one row, column by column as the record names them. Table and column names are ours, never input. */
export async function insertInto(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  await tx.run(insertText(table, Object.keys(row)), ...Object.values(row));
}

/** The same for a row that may be there already, because it is written again when nobody knows whether it was. */
export async function insertOnce(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const text = `${insertText(table, Object.keys(row))} on conflict do nothing`;
  await tx.run(text, ...Object.values(row));
}

function insertText(table: string, columns: readonly string[]): string {
  const last = texts.get(table);
  if (last?.columns.length === columns.length && last.columns.every((name, i) => name === columns[i]))
    return last.sql;
  const places = columns.map(() => '?').join(', ');
  const sql = `insert into ${table} (${columns.join(', ')}) values (${places})`;
  texts.set(table, { columns, sql });
  return sql;
}
