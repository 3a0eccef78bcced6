import { defineTransactions } from '#store/transaction.js';

/** The transaction of the commands `hold` and `restore` (`src/cli`), on a database that was restored from a backup. */
export const restoredCallTransactions = defineTransactions('restored_calls', {
  /**
   * Expires every call that was due by `at` (epoch milliseconds) and may have been dialled before the database was
   * restored from a backup: each ends as `expired` at the next start, and the reconciler does not dial it again. Batch
   * calls that wait are left out: another transaction of the commands holds the batches. Returns how many attempts
   * expired.
   */
  async expire(tx, { at }: { at: number }): Promise<number> {
    return tx.run(
      `update dial_attempts set expires_at = ?
       where due_at <= ? and expires_at > ?
         and (status in ('dialling', 'uncertain') or (status in ('pending', 'claimed') and lane = 'single'))`,
      at,
      at,
      at,
    );
  },
});
