import type { Repaired } from '#store/statements/corrupt-row.js';
import { defineTransactions, shareCommits, type Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { ofCall } from '#calls/record/call-rows.js';
import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { hasEntry, noteOnCall } from '#calls/record/life-cycle-log.js';
import { finishRepaired, lockRepaired, repairCall } from './repaired-call.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';

/**
 * The facts that a decision to end a call rests on: the end is written only if all of them still hold. They never hold
 * for a call that is over.
 */
export interface EndPrecondition {
  statuses?: readonly CallRow['status'][];
  /** The `updated_at` of the row that was read: the row has not changed since. */
  updatedAt?: number;
  /** The process that carries the call. */
  nodeId?: string | null;
}

/** The transactions of {@link CallEndings}. Each locks the call, also one with a corrupt row. */
export const endingTransactions = defineTransactions('endings', {
  /**
   * Moves an active call to `ending`, with its reason. Calls that are not active end in one step by `finish`. Returns
   * the call; null when it does not exist.
   */
  async begin(
    tx,
    args: { callId: string; reason: EndedReason; context: TxContext },
  ): Promise<CallRow | null> {
    const locked = await lockRepaired(tx, args.callId);
    if (locked?.value.status !== 'active') return locked && locked.value;
    return beginEnding(tx, locked, args);
  },

  /**
   * Stores in the life-cycle log that the line of a call was handed over. An active call enters `ending` with the
   * reason `transferred`: the line of a call with that reason is not hung up, because other people talk on it. A
   * repeated write changes nothing: a line is handed over once.
   */
  async storeHandover(tx, args: { callId: string; to: string; context: TxContext }): Promise<void> {
    const locked = await lockRepaired(tx, args.callId);
    if (!locked || (await hasEntry(tx, args.callId, 'transferred'))) return;
    const { context, to } = args;
    const entry = { type: 'transferred' as const, at: context.at, data: { to } };
    const call = noteOnCall(tx, repairCall(tx, locked), entry);
    if (call.status === 'active') await moveCall(tx, call, { to: 'ending', context, reason: 'transferred' });
  },

  /** Ends a call; see {@link finishCall}. Null when the call does not exist. */
  async finish(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const call = await lockRepaired(tx, args.callId);
    return call && finishRepaired(tx, call, args.details);
  },

  /**
   * Like `finish`, for a process without the call's audio: an active call only enters `ending`, and null is returned.
   */
  async finishWithoutAudio(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const locked = await lockRepaired(tx, args.callId);
    if (locked?.value.status !== 'active') return locked && finishRepaired(tx, locked, args.details);
    await beginEnding(tx, locked, args.details);
    return null;
  },

  /** Like `finish`, if the precondition still holds; otherwise null, and nothing changes. */
  async finishIf(
    tx,
    args: { callId: string; precondition: EndPrecondition; details: FinishDetails },
  ): Promise<CallRow | null> {
    const locked = await lockRepaired(tx, args.callId);
    return locked && stillHolds(locked.value, args.precondition)
      ? finishRepaired(tx, locked, args.details)
      : null;
  },
});

// Frequent transactions, which may share a commit if they are about different calls: that saves the database work.
shareCommits(endingTransactions, {
  begin: ofCall,
  finish: ofCall,
  finishWithoutAudio: ofCall,
  finishIf: ofCall,
});

/** Moves a locked active call to `ending`. */
async function beginEnding(
  tx: Tx,
  locked: Repaired<CallRow>,
  { reason, context }: { reason: EndedReason; context: TxContext },
): Promise<CallRow> {
  return moveCall(tx, repairCall(tx, locked), { to: 'ending', context, reason });
}

/** True if a precondition is fulfilled by the row as it is now. */
function stillHolds(call: CallRow, { statuses, updatedAt, nodeId }: EndPrecondition): boolean {
  if (call.ended_at !== null) return false;
  if (statuses !== undefined && !statuses.includes(call.status)) return false;
  if (updatedAt !== undefined && call.updated_at !== updatedAt) return false;
  return nodeId === undefined || call.node_id === nodeId;
}
