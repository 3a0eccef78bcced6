import type { Condition } from './conditions.js';

/**
 * The condition that a text occurs in one of the columns, ignoring case (on SQLite, that of ASCII letters only), for
 * the `q` of lists. The database lowers both sides, so that they are lowered by the same rules.
 * @param columns names or expressions; constants, never input
 * @returns null without a text
 */
export function occursIn(columns: readonly string[], text: string | undefined): Condition | null {
  if (!text) return null;
  const where = columns.map((column) => `lower(${column}) like lower(?) escape '\\'`).join(' or ');
  // Escapes the wildcards of `like`.
  const pattern = `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return [`(${where})`, ...columns.map(() => pattern)];
}
