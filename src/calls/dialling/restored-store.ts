import { defineTransactions } from '#store/transaction.js';

export const restoredCallTransactions = defineTransactions('restored_calls', {
  /**
   * Lets the time run out of every call that was due by an instant and may have been dialled before the database was
   * put back: at the next start it ends as `expired`, and a carrier that is asked about it is not asked to dial again.
   * Numbers of batches that wait go back to their batches, which are held. Returns how many.
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
