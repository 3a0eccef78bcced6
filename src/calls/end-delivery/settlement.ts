import type { Tx } from '#store/transaction.js';

/** Whom a call can belong to, and the column that says so: whoever has wanted it hears of its end. */
export const OWNERS = { batch: 'batch_id', schedule: 'execution_id' } as const;
export type OwnerKind = keyof typeof OWNERS;

/**
 * What `calls.unsettled` says: whether the owner of a call has heard of its end, if it has an end and an owner; or, of
 * one that is not over, that the policy has put it off.
 */
export const SETTLEMENT = {
  settled: 0,
  unsettled: 1,
  /** It could not be applied; it is tried again after an hour, and at the next start. */
  deferred: 2,
} as const;

/** Has the owner told that a call was put off, which is not over. */
export async function notifyOwner(tx: Tx, callId: string): Promise<void> {
  await tx.run(`update calls set unsettled = ${SETTLEMENT.unsettled} where id = ?`, callId);
}

/**
 * The owner hears of the end of a call, with whatever it makes of that in the same transaction. False when it has
 * heard of it before, or will when what was set aside is taken up: then nothing is to be made of it.
 */
export async function settleEnd(tx: Tx, callId: string): Promise<boolean> {
  const changed = await tx.run(
    `update calls set unsettled = ${SETTLEMENT.settled} where id = ? and unsettled = ${SETTLEMENT.unsettled}`,
    callId,
  );
  return changed === 1;
}
