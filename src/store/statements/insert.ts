import { placeholders } from './placeholders.js';
import type { SqlValue, Tx } from '#store/unit.js';

/** The last text of each table: rows of a table mostly name the same columns, and long texts are dear to build. */
const texts = new Map<string, { columns: readonly string[]; onConflict: string; sql: string }>();

/**
 * Inserts one row, column by column as the record names them, and returns how many rows that made. Table and column
 * names are ours, never input.
 * @param onConflict `on conflict … do nothing`, where there may be such a row already
 */
export function insertInto(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
  onConflict = '',
): Promise<number> {
  return tx.run(insertText(table, Object.keys(row), onConflict), ...Object.values(row));
}

/** The same for a row that may be there already, because it is written again when nobody knows whether it was. */
export async function insertOnce(
  tx: Tx,
  table: string,
  row: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  await insertInto(tx, table, row, 'on conflict do nothing');
}

function insertText(table: string, columns: readonly string[], onConflict: string): string {
  const last = texts.get(table);
  const isSame = last?.columns.length === columns.length && last.onConflict === onConflict;
  if (isSame && last.columns.every((name, i) => name === columns[i])) return last.sql;
  const sql = `insert into ${table} (${columns.join(', ')}) values (${placeholders(columns)}) ${onConflict}`;
  texts.set(table, { columns, onConflict, sql });
  return sql;
}
