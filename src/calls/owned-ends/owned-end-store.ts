import { defineUnits } from '#store/unit.js';
import { SETTLEMENT, OWNERS, type OwnerKind } from './settlement.js';

export const ownedEndUnits = defineUnits('owned_ends', {
  /** Ended calls of which their owners have yet to hear, oldest first. */
  async unheard(tx, args: { owner: OwnerKind; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id from calls where unsettled = ${SETTLEMENT.unsettled} and ${OWNERS[args.owner]} is not null
       order by ended_at, id limit ?`,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  /** Leaves an end that cannot be applied for later, so that it is not in the way of the others. */
  async setAside(tx, args: { callId: string }): Promise<void> {
    await tx.run(
      `update calls set unsettled = ${SETTLEMENT.setAside} where id = ? and unsettled = ${SETTLEMENT.unsettled}`,
      args.callId,
    );
  },

  /** Takes up again what was set aside. Returns how many. */
  async takeUp(tx, args: { owner: OwnerKind }): Promise<number> {
    return tx.run(
      `update calls set unsettled = ${SETTLEMENT.unsettled}
       where unsettled = ${SETTLEMENT.setAside} and ${OWNERS[args.owner]} is not null`,
    );
  },
});
