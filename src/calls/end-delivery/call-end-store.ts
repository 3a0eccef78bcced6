import { defineTransactions } from '#store/transaction.js';
import { SETTLEMENT, OWNERS, type OwnerKind } from './settlement.js';

/** The transactions of `CallEndWork` and `CallEndDelivery` on the column `unsettled`; see `SETTLEMENT`. */
export const callEndTransactions = defineTransactions('call_ends', {
  /**
   * The ids of calls that the owner must look at, oldest end first: ended calls whose end was not applied, and calls
   * that the policy has deferred.
   */
  async undelivered(tx, args: { owner: OwnerKind; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id from calls where unsettled = ${SETTLEMENT.unsettled} and ${OWNERS[args.owner]} is not null
       order by ended_at, id limit ?`,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  /** Defers an end that cannot be applied, so that it does not block the others. */
  async defer(tx, args: { callId: string }): Promise<void> {
    await tx.run(
      `update calls set unsettled = ${SETTLEMENT.deferred} where id = ? and unsettled = ${SETTLEMENT.unsettled}`,
      args.callId,
    );
  },

  /** Marks deferred ends as undelivered again. Returns how many. */
  async retryDeferred(tx, args: { owner: OwnerKind }): Promise<number> {
    return tx.run(
      `update calls set unsettled = ${SETTLEMENT.unsettled}
       where unsettled = ${SETTLEMENT.deferred} and ${OWNERS[args.owner]} is not null`,
    );
  },
});
