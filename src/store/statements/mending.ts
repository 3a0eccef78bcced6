import type { z } from 'zod';
import type { SqlRow, SqlValue } from '#store/unit.js';

/** The emptiest values that a column may have; the first one that its schema takes stands for what cannot be read. */
const BLANKS: readonly SqlValue[] = [null, 0, '', '{}'];

/** What was read of a row, whatever is wrong with it. */
export interface Mended<Value> {
  value: Value;
  /** The columns that cannot be read, and what stands there instead; null for a sound row. */
  mending: Readonly<Record<string, SqlValue>> | null;
}

/**
 * Reads a row whatever is wrong with it: a column that cannot be read is blank. One damaged row must neither hide the
 * others nor stay open for ever.
 * @param fallbacks for columns that take none of the usual blanks
 */
export function readMended<Schema extends z.ZodObject>(
  schema: Schema,
  row: SqlRow,
  fallbacks: Readonly<Record<string, SqlValue>>,
): Mended<z.output<Schema>> {
  const sound = schema.safeParse(row);
  if (sound.success) return { value: sound.data, mending: null };
  const mending: Record<string, SqlValue> = {};
  for (const [column, columnSchema] of Object.entries<z.ZodType>(schema.shape)) {
    if (columnSchema.safeParse(row[column]).success) continue;
    const blank = fallbacks[column] ?? BLANKS.find((value) => columnSchema.safeParse(value).success);
    if (blank === undefined) throw new Error(`nothing can stand for what ${column} was`);
    mending[column] = blank;
  }
  return { value: schema.parse({ ...row, ...mending }), mending };
}
