import type { z } from 'zod';
import type { SqlRow, SqlValue } from '#store/transaction.js';

/** Replacements for a corrupt column; the first value that the column's schema accepts is used. */
const DEFAULT_REPLACEMENTS: readonly SqlValue[] = [null, 0, '', '{}'];

/** A row that was read though some of its columns may be corrupt. */
export interface Repaired<Value> {
  value: Value;
  /** The corrupt columns and their replacements; null for an intact row. */
  repair: Readonly<Record<string, SqlValue>> | null;
}

/**
 * Reads a row and replaces its corrupt columns; the database is not changed. A corrupt row, as after a fault of the
 * disk, must neither hide the other rows of a list nor keep its record from reaching an end. Used for calls,
 * recipients of batches and runs of schedules.
 * @param fallbacks replacements for columns for which {@link DEFAULT_REPLACEMENTS} would be wrong or invalid
 * @throws Error for a corrupt column without a replacement
 */
export function readRepaired<Schema extends z.ZodObject>(
  schema: Schema,
  row: SqlRow,
  fallbacks: Readonly<Record<string, SqlValue>>,
): Repaired<z.output<Schema>> {
  const parsed = schema.safeParse(row);
  if (parsed.success) return { value: parsed.data, repair: null };
  const repair: Record<string, SqlValue> = {};
  for (const [column, columnSchema] of Object.entries<z.ZodType>(schema.shape)) {
    if (columnSchema.safeParse(row[column]).success) continue;
    const replacement =
      fallbacks[column] ?? DEFAULT_REPLACEMENTS.find((value) => columnSchema.safeParse(value).success);
    if (replacement === undefined) throw new Error(`column ${column} is corrupt and has no replacement`);
    repair[column] = replacement;
  }
  return { value: schema.parse({ ...row, ...repair }), repair };
}
