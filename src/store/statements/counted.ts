import type { SqlValue, Tx } from '#store/unit.js';

/** Whoever only wants to know whether there are many is told this number for all larger ones. */
export const COUNTED_AT_MOST = 10_000;

/**
 * Counts rows up to {@link COUNTED_AT_MOST}, which costs a few milliseconds at the most however many there are.
 * @param what a table with its condition, in the order of the index that it is to be read by
 */
export async function countedAtMost(tx: Tx, what: string, values: readonly SqlValue[]): Promise<number> {
  const row = await tx.get(
    `select count(*) as count from (select 1 from ${what} limit ${COUNTED_AT_MOST}) as counted`,
    ...values,
  );
  return Number(row?.['count']);
}
