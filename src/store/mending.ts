import type { z } from 'zod';
import type { SqlRow, SqlValue } from './unit.js';

/** The emptiest values that a column may have; the first one that its schema takes stands for what cannot be read. */
const BLANKS: readonly SqlValue[] = [null, 0, '', '{}'];

/**
 * What to write into the columns of a row that cannot be read, so that it can be; nothing for a sound row.
 * @param shape the schema of each column
 * @param words for columns that take none of the usual blanks
 */
export function mendingOf(
  shape: Readonly<Record<string, z.ZodType>>,
  row: SqlRow,
  words: Readonly<Record<string, SqlValue>>,
): Record<string, SqlValue> {
  const mending: Record<string, SqlValue> = {};
  for (const [column, schema] of Object.entries(shape)) {
    if (schema.safeParse(row[column]).success) continue;
    const blank = words[column] ?? BLANKS.find((value) => schema.safeParse(value).success);
    if (blank === undefined) throw new Error(`nothing can stand for what ${column} was`);
    mending[column] = blank;
  }
  return mending;
}
