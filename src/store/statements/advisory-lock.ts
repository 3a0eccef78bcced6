import type { Tx } from '#store/transaction.js';

/**
 * Takes a lock by name until the transaction ends, for something that has no row to lock. All transactions must take
 * their advisory locks and row locks in the same order, or they can deadlock. No-op on SQLite, which has one writer.
 * @param name subject and workspace, such as `default agent of ws_1`
 */
export async function takeAdvisoryLock(tx: Tx, name: string): Promise<void> {
  if (tx.dialect.engine !== 'postgres') return;
  await tx.get('select pg_advisory_xact_lock(hashtextextended(?, 0))', name);
}
