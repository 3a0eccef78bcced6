import { defineTransactions } from '#store/transaction.js';

/** The name of the row with the last present of `ClockJumpGuard`; batches keep a row of their own in this table. */
const NAME = 'reached';

/**
 * The transactions of `createHousekeeping`: they store the present, so that a restart continues from it instead of the
 * wall clock.
 */
export const housekeepingTransactions = defineTransactions('housekeeping', {
  /** The present that was stored last (epoch milliseconds); null if none was stored yet. */
  async reached(tx): Promise<number | null> {
    const row = await tx.get('select reached_at from housekeeping where name = ?', NAME);
    return typeof row?.['reached_at'] === 'number' ? row['reached_at'] : null;
  },

  /** Stores the present (epoch milliseconds). */
  async reach(tx, args: { at: number }): Promise<void> {
    await tx.run(
      `insert into housekeeping (name, reached_at) values (?, ?)
       on conflict (name) do update set reached_at = excluded.reached_at`,
      NAME,
      args.at,
    );
  },
});
