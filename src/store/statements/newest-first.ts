import { allOf, inPage, type Condition, type CreationFilter } from './conditions.js';
import { toPage, type Cursor, type Page } from '#store/page.js';
import type { SqlRow, Tx } from '#store/transaction.js';

/** A query for one page of a list. */
interface ListQuery {
  /** A select up to its `where`, with the columns `created_at` and `id`. */
  select: string;
  /** The table of those two columns, if the select joins several tables. */
  table?: string;
  /** Conditions of this list, such as the workspace; null ones are left out. */
  conditions: readonly (Condition | null)[];
  filter: CreationFilter;
  cursor: Cursor | null;
  limit: number;
}

/**
 * One page of a list, newest first: the rows that meet all conditions and are behind the cursor. The stores of such
 * lists use it in their transactions.
 */
export async function newestFirst<Item>(
  tx: Tx,
  { select, table, conditions, filter, cursor, limit }: ListQuery,
  read: (row: SqlRow) => Item,
): Promise<Page<Item>> {
  const { where, values } = allOf([...conditions, ...inPage(filter, cursor, table)]);
  const prefix = table === undefined ? '' : `${table}.`;
  const rows = await tx.all(
    `${select} where ${where} order by ${prefix}created_at desc, ${prefix}id desc limit ?`,
    ...values,
    limit + 1,
  );
  const page = toPage(rows, limit, (row) => ({
    createdAt: Number(row['created_at']),
    id: String(row['id']),
  }));
  return { items: page.items.map(read), next: page.next };
}
