import type { SqlValue, Tx } from '#store/transaction.js';

/** The largest count that is reported: gauges and lists need no exact number above it. */
export const COUNT_LIMIT = 10_000;

/**
 * Counts rows up to {@link COUNT_LIMIT}, which takes a few milliseconds at most. Used for backlog gauges and the
 * queue of deliveries.
 * @param source a table with its condition, and the `order by` of the index to read
 */
export async function countUpToLimit(tx: Tx, source: string, values: readonly SqlValue[]): Promise<number> {
  const row = await tx.get(
    `select count(*) as count from (select 1 from ${source} limit ${COUNT_LIMIT}) as counted`,
    ...values,
  );
  return Number(row?.['count']);
}
