import type { Cursor } from '#store/page.js';
import { placeholders } from './placeholders.js';
import type { SqlValue } from '#store/unit.js';

/** One condition of a `where`: its SQL, and the values of its placeholders. */
export type Condition = readonly [where: string, ...values: SqlValue[]];

/** What every list may be asked for besides its own filters; instants are epoch milliseconds. */
export interface CreationFilter {
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

/** All of these conditions as one `where`; those that are null do not apply. */
export function allOf(conditions: readonly (Condition | null)[]): { where: string; values: SqlValue[] } {
  const present = conditions.filter((condition) => condition !== null);
  return {
    where: present.map(([where]) => where).join(' and '),
    values: present.flatMap(([, ...values]) => values),
  };
}

/** That a column holds one of some values; null when none are named. */
export function anyOf(column: string, values: readonly string[] | undefined): Condition | null {
  if (!values || values.length === 0) return null;
  return [`${column} in (${placeholders(values)})`, ...values];
}

/**
 * The part of a list, newest first, that is asked for: created in a span, and after the page before.
 * @param table whose columns are meant, where the select has more than one
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
