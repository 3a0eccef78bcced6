import type { SqlValue, Tx } from '#store/transaction.js';

/** The largest count that is reported: above it, gauges and lists need no exact number. */
export const COUNTED_AT_MOST = 10_000;

/**
 * Counts rows up to {@link COUNTED_AT_MOST}, which takes a few milliseconds at most. Used for backlog gauges and the
 * queue of deliveries.
 * @param source a table with its condition, and the `order by` of the index to read
 */
export async function countedAtMost(tx: Tx, source: string, values: readonly SqlValue[]): Promise<number> {
  const row = await tx.get(
    `select count(*) as count from (select 1 from ${source} limit ${COUNTED_AT_MOST}) as counted`,
    ...values,
  );
  return Number(row?.['count']);
}
