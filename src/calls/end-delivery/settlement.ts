import type { Tx } from '#store/transaction.js';

// The column `calls.unsettled`, by which the end of a call reaches its batch or schedule exactly once. `finishCall`
// marks the end, and `CallEndDelivery` finds it; the owner applies it and clears the mark in one transaction.

/** The owners of calls, and the column of `calls` with the owner's id. An owner receives the ends of its calls. */
export const OWNERS = { batch: 'batch_id', schedule: 'execution_id' } as const;
export type OwnerKind = keyof typeof OWNERS;

/**
 * The values of `calls.unsettled`. For an ended call with an owner: whether its end was applied. For a call that is not
 * over, `unsettled` means that the policy has deferred it.
 */
export const SETTLEMENT = {
  settled: 0,
  unsettled: 1,
  /** The end could not be applied; it is retried after an hour and at the next start. */
  deferred: 2,
} as const;

/** Marks a call that the policy has deferred, so that its owner looks at it; the call is not over. */
export async function markForOwner(tx: Tx, callId: string): Promise<void> {
  await tx.run(`update calls set unsettled = ${SETTLEMENT.unsettled} where id = ?`, callId);
}

/**
 * Marks the end of a call as applied, in the transaction in which the owner applies it. False when the end was applied
 * before or is deferred: then the owner must change nothing.
 */
export async function settleEnd(tx: Tx, callId: string): Promise<boolean> {
  const changed = await tx.run(
    `update calls set unsettled = ${SETTLEMENT.settled} where id = ? and unsettled = ${SETTLEMENT.unsettled}`,
    callId,
  );
  return changed === 1;
}
