import type { SqlRow } from '#store/transaction.js';

/**
 * A row of nulls to copy and fill in, for the result rows of both engines. V8 keeps an object that grows by dozens of
 * computed names as a hash table, which is ten times as slow to build; an object that was parsed, and its copies, have
 * a fixed shape.
 */
export function blankRow(columns: readonly string[]): SqlRow {
  return JSON.parse(JSON.stringify(Object.fromEntries(columns.map((name) => [name, null])))) as SqlRow;
}
