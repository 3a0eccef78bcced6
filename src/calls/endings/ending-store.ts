import type { Repaired } from '#store/statements/corrupt-row.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { noteOnCall } from '#calls/record/note-on-call.js';
import { finishRepaired, lockRepaired, repairCall } from './repaired-call.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';

/** What an end was decided by: it is written only where all of it still holds. A call that is over holds none. */
export interface EndPrecondition {
  statuses?: readonly CallRow['status'][];
  updatedAt?: number;
  nodeId?: string | null;
}

export const endingTransactions = defineTransactions('endings', {
  /** An active call enters `ending`, with its reason. Calls that are not active end in one step by `finish`. */
  async begin(
    tx,
    args: { callId: string; reason: EndedReason; context: TxContext },
  ): Promise<CallRow | null> {
    const held = await lockRepaired(tx, args.callId);
    if (held?.value.status !== 'active') return held && held.value;
    return beginEnding(tx, held, args);
  },

  /** The line of a call is in other hands: with that its end begins, so that nobody hangs up whom others talk with. */
  async handedOver(tx, args: { callId: string; to: string; context: TxContext }): Promise<void> {
    const held = await lockRepaired(tx, args.callId);
    if (!held) return;
    const { context, to } = args;
    const told = { type: 'transferred', at: context.at, data: { to } };
    const call = await noteOnCall(tx, await repairCall(tx, held), told);
    if (call.status === 'active') await moveCall(tx, call, { to: 'ending', context, reason: 'transferred' });
  },

  async finish(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const call = await lockRepaired(tx, args.callId);
    return call && finishRepaired(tx, call, args.details);
  },

  /** The same for whoever has not its audio: an active call only begins to end, and null is returned. */
  async finishWithoutAudio(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const held = await lockRepaired(tx, args.callId);
    if (held?.value.status !== 'active') return held && finishRepaired(tx, held, args.details);
    await beginEnding(tx, held, args.details);
    return null;
  },

  /** The same for a call of which something must still be true; null when it is not, and nothing is done. */
  async finishIf(
    tx,
    args: { callId: string; precondition: EndPrecondition; details: FinishDetails },
  ): Promise<CallRow | null> {
    const held = await lockRepaired(tx, args.callId);
    return held && holds(held.value, args.precondition) ? finishRepaired(tx, held, args.details) : null;
  },
});

async function beginEnding(
  tx: Tx,
  held: Repaired<CallRow>,
  { reason, context }: { reason: EndedReason; context: TxContext },
): Promise<CallRow> {
  return moveCall(tx, await repairCall(tx, held), { to: 'ending', context, reason });
}

function holds(call: CallRow, { statuses, updatedAt, nodeId }: EndPrecondition): boolean {
  if (call.ended_at !== null) return false;
  if (statuses !== undefined && !statuses.includes(call.status)) return false;
  if (updatedAt !== undefined && call.updated_at !== updatedAt) return false;
  return nodeId === undefined || call.node_id === nodeId;
}
