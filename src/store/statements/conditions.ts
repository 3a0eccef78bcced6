import type { Cursor } from '#store/page.js';
import { placeholders } from './placeholders.js';
import type { SqlValue } from '#store/transaction.js';

// Builds the `where` of queries from filters, for the stores of lists.

/** One condition of a `where`: its SQL, and the values of its placeholders. */
export type Condition = readonly [where: string, ...values: SqlValue[]];

/** A filter by the time of creation: from `createdAfter` on, before `createdBefore` (epoch milliseconds). */
export interface CreationFilter {
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

/** Joins conditions by `and` to one `where`; null conditions are left out. */
export function allOf(conditions: readonly (Condition | null)[]): { where: string; values: SqlValue[] } {
  const present = conditions.filter((condition) => condition !== null);
  return {
    where: present.map(([where]) => where).join(' and '),
    values: present.flatMap(([, ...values]) => values),
  };
}

/** The condition that a column has one of the values. Null without values: then nothing is filtered. */
export function anyOf(column: string, values: readonly string[] | undefined): Condition | null {
  if (!values || values.length === 0) return null;
  return [`${column} in (${placeholders(values)})`, ...values];
}

/**
 * The conditions for one page of a list that is ordered by creation, newest first: rows created in the span of the
 * filter, and before the row of the cursor (rows of the same instant by their ids).
 * @param table the table of `created_at` and `id`, if the select joins several tables
 */
export function inPage(filter: CreationFilter, cursor: Cursor | null, table?: string): (Condition | null)[] {
  const prefix = table === undefined ? '' : `${table}.`;
  const created = `${prefix}created_at`;
  return [
    filter.createdAfter === undefined ? null : [`${created} >= ?`, filter.createdAfter],
    filter.createdBefore === undefined ? null : [`${created} < ?`, filter.createdBefore],
    cursor && [
      `(${created} < ? or (${created} = ? and ${prefix}id < ?))`,
      cursor.createdAt,
      cursor.createdAt,
      cursor.id,
    ],
  ];
}
