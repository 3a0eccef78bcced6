import { eraseCall, type ErasedCall, type ErasureOfCall } from '../../calls/erase-call.js';
import { oldCalls } from '../../calls/retention-store.js';
import type { Walk, Walked } from '../../housekeeping/daily-walk.js';
import { Problem } from '../../kernel/errors.js';
import { defineUnits, type Tx } from '../../store/unit.js';

/** A number that may be called yet, by what is kept of its first call. */
const IS_TO_BE_CALLED = `batch_recipients.status in ('pending', 'paused', 'dialling', 'retry_wait')`;

/** Whether a batch will call somebody by what is kept of a call, in words of SQL. */
const IS_NEEDED = `calls.batch_id is not null
  and exists (select 1 from batch_recipients where call_id = calls.id and ${IS_TO_BE_CALLED})`;

export const erasureUnits = defineUnits('call_erasures', {
  /** See `CallErasure`. */
  async erase(tx, args: ErasureOfCall): Promise<ErasedCall> {
    await holdBatch(tx, args.id);
    const erased = await eraseCall(tx, args);
    await forgetNumber(tx, args.id);
    return erased;
  },

  old(tx, args: Walk): Promise<Walked> {
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
      'The batch of the call is still to call its number: cancel that first.',
    );
  await tx.run(
    `update batch_recipients set phone_number = '', name = null, label = null
     where (call_id = ? or last_call_id = ?) and not (${IS_TO_BE_CALLED})`,
    callId,
    callId,
  );
}
