import { callMachine } from '#calls/record/call-machine.js';
import type { CallRow } from '#calls/record/call.js';
import { setColumns } from '#calls/record/call-rows.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { Problem } from '#kernel/errors/errors.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import {
  holdHandle,
  keepHandle,
  NO_NEXT,
  type HeldHandle,
} from '#batches/scheduled-calls/handles/queued-call-handle.js';
import type { FollowUp } from '#batches/scheduled-calls/handles/handle-change.js';
import { setSingleStatus } from './single-call-status-change.js';
import { retimeSingle, type SingleCallChange } from './single-call-times.js';

/** Result of deleting a handle: the call that was ended, or one to hang up. */
export interface Removed extends FollowUp {
  ended: CallRow | null;
}

/** Transactions of single calls as handles under `/batch/scheduled-calls`, by their first call. */
export const queuedCallTransactions = defineTransactions('queued_calls', {
  /**
   * Changes a single call. A finished one is called again at a new time, a live one after its end.
   * @throws Problem `invalid_state` if its status does not allow it, `validation_error`
   */
  async change(tx, args: SingleCallChange & { callId: string }): Promise<FollowUp> {
    const { name, status } = args.change;
    const call = await retimeSingle(tx, await requireHeld(tx, args.callId), args);
    setColumns(tx, call.id, {
      ...(name === undefined ? {} : { name }),
      updated_at: args.context.at,
    });
    if (!status) return { hangUp: null };
    return setSingleStatus(tx, await requireHeld(tx, args.callId), args, status);
  },

  /**
   * Deletes the handle and cancels further calls. A waiting call is ended if `finish` is meant for it; a live one must
   * be hung up by the caller.
   */
  async remove(tx, args: { callId: string; of: string; finish: FinishDetails }): Promise<Removed> {
    const { latest, isWaiting } = await requireHeld(tx, args.callId);
    const { at } = args.finish.context;
    await keepHandle(tx, args.callId, { ...NO_NEXT, shown_status: null, deleted_at: at });
    if (callMachine.isFinal(latest.status)) return { ended: null, hangUp: null };
    if (!isWaiting || latest.id !== args.of) return { ended: null, hangUp: latest.id };
    return { ended: await finishCall(tx, latest, args.finish), hangUp: null };
  },
});

async function requireHeld(tx: Tx, callId: string): Promise<HeldHandle> {
  const held = await holdHandle(tx, callId);
  if (held && held.kept.deleted_at === null) return held;
  throw new Problem('scheduled_call_not_found', 'There is no scheduled call with this id.');
}
