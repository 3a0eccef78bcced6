import { eraseCall, type ErasedCall, type ErasureOfCall } from '#calls/erasure/erase-call.js';
import { oldCalls } from '#calls/erasure/retention-store.js';
import type { SweepCursor, SweptSlice } from '#housekeeping/retention-sweep.js';
import { Problem } from '#kernel/errors/errors.js';
import { defineUnits, type Tx } from '#store/unit.js';

/** A number that may be called yet, by what is kept of its first call. */
const IS_TO_BE_CALLED = `batch_recipients.status in ('pending', 'paused', 'dialling', 'retry_wait')`;

/** Whether a batch will call somebody by what is kept of a call, in words of SQL. */
const IS_NEEDED_BY_BATCH = `calls.batch_id is not null
  and exists (select 1 from batch_recipients where call_id = calls.id and ${IS_TO_BE_CALLED})`;

/** The handle of a single call, or of a further one. */
const HANDLE = 'coalesce((select handle_id from further_calls where call_id = calls.id), calls.id)';

/** Whether a single call is to be made again: its further one waits or goes on, or was asked for. */
const IS_WANTED_AGAIN = `calls.batch_id is null and (
  exists (select 1 from queued_call_handles where call_id = ${HANDLE} and next_due_at is not null)
  or exists (select 1 from further_calls join calls later on later.id = further_calls.call_id
    where further_calls.handle_id = ${HANDLE} and later.ended_at is null))`;

const IS_NEEDED = `((${IS_NEEDED_BY_BATCH}) or (${IS_WANTED_AGAIN}))`;

export const erasureUnits = defineUnits('call_erasures', {
  /** See `CallErasure`. */
  async erase(tx, args: ErasureOfCall): Promise<ErasedCall> {
    await holdBatch(tx, args.id);
    const erased = await eraseCall(tx, args);
    await forgetNumber(tx, args.id);
    return erased;
  },

  old(tx, args: SweepCursor): Promise<SweptSlice> {
    return oldCalls(tx, args, IS_NEEDED);
  },
});

/** Whoever changes the numbers of a batch holds it before anything else. */
async function holdBatch(tx: Tx, callId: string): Promise<void> {
  await tx.get(
    `select id from batches where id = (select batch_id from calls where id = ?)${tx.dialect.forUpdate}`,
    callId,
  );
}

/** A number of a batch goes with its first call, or with its last. */
async function forgetNumber(tx: Tx, callId: string): Promise<void> {
  const needed = await tx.get(`select id from calls where id = ? and ${IS_NEEDED}`, callId);
  if (needed)
    throw new Problem(
      'invalid_state',
      'The number of the call is still to be called again, or by its batch: cancel that first.',
    );
  await tx.run(
    `update batch_recipients set phone_number = '', name = null, label = null
     where (call_id = ? or last_call_id = ?) and not (${IS_TO_BE_CALLED})`,
    callId,
    callId,
  );
}
