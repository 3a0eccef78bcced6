import type { Condition } from './conditions.js';

/**
 * The condition that a text occurs in one of some columns, in capitals or not. The engine lowers both sides: which
 * letters have capitals is known to each in its own way, to SQLite for those of ASCII alone.
 * @param columns of ours, or expressions; never input
 * @returns null when no text is named
 */
export function occursIn(columns: readonly string[], text: string | undefined): Condition | null {
  if (!text) return null;
  const where = columns.map((column) => `lower(${column}) like lower(?) escape '\\'`).join(' or ');
  // Wildcards in the text stand for themselves.
  const pattern = `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return [`(${where})`, ...columns.map(() => pattern)];
}
