import type { Repaired } from '#store/statements/corrupt-row.js';
import { defineTransactions, shareCommits, type Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { ofCall } from '#calls/record/call-rows.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { noteOnCall } from '#calls/record/note-on-call.js';
import { finishRepaired, lockRepaired, repairCall } from './repaired-call.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';

/**
 * The facts that a decision to end a call rests on: the end is written only if all of them still hold. They never hold
 * for a call that is over.
 */
export interface EndPrecondition {
  statuses?: readonly CallRow['status'][];
  updatedAt?: number;
  nodeId?: string | null;
}

export const endingTransactions = defineTransactions('endings', {
  /** Moves an active call to `ending`, with its reason. Calls that are not active end in one step by `finish`. */
  async begin(
    tx,
    args: { callId: string; reason: EndedReason; context: TxContext },
  ): Promise<CallRow | null> {
    const held = await lockRepaired(tx, args.callId);
    if (held?.value.status !== 'active') return held && held.value;
    return beginEnding(tx, held, args);
  },

  /**
   * Stores that the line of a call was handed over. The call enters `ending`, so that no process hangs up a line on
   * which other people talk.
   */
  async handedOver(tx, args: { callId: string; to: string; context: TxContext }): Promise<void> {
    const held = await lockRepaired(tx, args.callId);
    if (!held) return;
    const { context, to } = args;
    const told = { type: 'transferred', at: context.at, data: { to } };
    const call = noteOnCall(tx, repairCall(tx, held), told);
    if (call.status === 'active') await moveCall(tx, call, { to: 'ending', context, reason: 'transferred' });
  },

  async finish(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const call = await lockRepaired(tx, args.callId);
    return call && finishRepaired(tx, call, args.details);
  },

  /**
   * Like `finish`, for a process without the call's audio: an active call only enters `ending`, and null is returned.
   */
  async finishWithoutAudio(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const held = await lockRepaired(tx, args.callId);
    if (held?.value.status !== 'active') return held && finishRepaired(tx, held, args.details);
    await beginEnding(tx, held, args.details);
    return null;
  },

  /** Like `finish`, if the precondition still holds; otherwise null, and nothing changes. */
  async finishIf(
    tx,
    args: { callId: string; precondition: EndPrecondition; details: FinishDetails },
  ): Promise<CallRow | null> {
    const held = await lockRepaired(tx, args.callId);
    return held && holds(held.value, args.precondition) ? finishRepaired(tx, held, args.details) : null;
  },
});

shareCommits(endingTransactions, {
  begin: ofCall,
  finish: ofCall,
  finishWithoutAudio: ofCall,
  finishIf: ofCall,
});

async function beginEnding(
  tx: Tx,
  held: Repaired<CallRow>,
  { reason, context }: { reason: EndedReason; context: TxContext },
): Promise<CallRow> {
  return moveCall(tx, repairCall(tx, held), { to: 'ending', context, reason });
}

function holds(call: CallRow, { statuses, updatedAt, nodeId }: EndPrecondition): boolean {
  if (call.ended_at !== null) return false;
  if (statuses !== undefined && !statuses.includes(call.status)) return false;
  if (updatedAt !== undefined && call.updated_at !== updatedAt) return false;
  return nodeId === undefined || call.node_id === nodeId;
}
