import { defineTransactions } from '#store/transaction.js';
import { SETTLEMENT, OWNERS, type OwnerKind } from './settlement.js';

export const callEndTransactions = defineTransactions('call_ends', {
  /** Ended calls of which their owners have yet to hear, oldest first. */
  async undelivered(tx, args: { owner: OwnerKind; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id from calls where unsettled = ${SETTLEMENT.unsettled} and ${OWNERS[args.owner]} is not null
       order by ended_at, id limit ?`,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  /** Leaves an end that cannot be applied for later, so that it is not in the way of the others. */
  async defer(tx, args: { callId: string }): Promise<void> {
    await tx.run(
      `update calls set unsettled = ${SETTLEMENT.deferred} where id = ? and unsettled = ${SETTLEMENT.unsettled}`,
      args.callId,
    );
  },

  /** Takes up again what was set aside. Returns how many. */
  async retryDeferred(tx, args: { owner: OwnerKind }): Promise<number> {
    return tx.run(
      `update calls set unsettled = ${SETTLEMENT.unsettled}
       where unsettled = ${SETTLEMENT.deferred} and ${OWNERS[args.owner]} is not null`,
    );
  },
});
