import {
  type CallErasure,
  eraseCall,
  type ErasedCall,
  type ErasureOfCall,
} from '#calls/erasure/erase-call.js';
import type { Store } from '#store/store.js';
import { oldCalls } from '#calls/erasure/retention-store.js';
import {
  type SweepCursor,
  type SweptSlice,
  purgeBySlices,
  type Purge,
} from '#housekeeping/retention-sweep.js';
import { Problem } from '#kernel/errors/errors.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

// Erases what batches keep about people: recipients together with their calls (the port `CallErasure` of the calls
// module), and rejected rows by their age.

const DAY_MS = 86_400_000;

/** SQL condition: the number waits or is being called; a further attempt copies the data of its first call. */
const IS_TO_BE_CALLED = `batch_recipients.status in ('pending', 'paused', 'dialling', 'retry_wait')`;

/** SQL: the call is the first call of a number, which the batch may call again with the data of this call. */
const IS_NEEDED = `(calls.batch_id is not null
  and exists (select 1 from batch_recipients where call_id = calls.id and ${IS_TO_BE_CALLED}))`;

/** The transactions of `createCallErasure`. */
export const erasureTransactions = defineTransactions('call_erasures', {
  /** See `CallErasure`. */
  async erase(tx, args: ErasureOfCall): Promise<ErasedCall> {
    await lockBatchOf(tx, args.id);
    const erased = await eraseCall(tx, args);
    await eraseNumber(tx, args.id);
    return erased;
  },

  /** The next calls past their retention period, without those that a batch still needs. */
  old(tx, args: SweepCursor): Promise<SweptSlice> {
    return oldCalls(tx, args, IS_NEEDED);
  },
});

/** Locks the batch of a call, if it has one, so that no number of that batch changes meanwhile. */
async function lockBatchOf(tx: Tx, callId: string): Promise<void> {
  await tx.get(
    `select id from batches where id = (select batch_id from calls where id = ?)${tx.dialect.forUpdate}`,
    callId,
  );
}

/**
 * Erases the personal data of a number together with its first or last call.
 * @throws Problem `invalid_state` if the batch still needs the call, see {@link IS_NEEDED}
 */
async function eraseNumber(tx: Tx, callId: string): Promise<void> {
  const needed = await tx.get(`select id from calls where id = ? and ${IS_NEEDED}`, callId);
  if (needed)
    throw new Problem('invalid_state', 'The batch still calls the number of the call: cancel that first.');
  await tx.run(
    `update batch_recipients set phone_number = '', name = null, label = null
     where (call_id = ? or last_call_id = ?) and not (${IS_TO_BE_CALLED})`,
    callId,
    callId,
  );
}

/** Erases calls together with the personal data in their batch rows; refused while the batch still calls the number. */
export function createCallErasure(store: Store): CallErasure {
  return {
    erase: (call) => store.write(erasureTransactions.erase, call),
    findOld: (cursor) => store.read(erasureTransactions.old, cursor),
  };
}

/** The transactions of {@link batchPurges}. */
const batchRetentionTransactions = defineTransactions('batch_retention', {
  /** Deletes up to `limit` slices of rejected rows of batches made before an instant. Returns how many. */
  rejectedRows(tx, { madeBefore, limit }: { madeBefore: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from rejected_rows where (batch_id, slice) in (
         select batch_id, slice from rejected_rows
         where batch_id in (select id from batches where created_at < ?) limit ?)`,
      madeBefore,
      limit,
    );
  },
});

/**
 * The purge of the rejected rows of old batches, for housekeeping: the rows hold personal data, and belong to no call
 * with which they could be erased. Without a retention period (null) they stay.
 */
export function batchPurges(store: Store, { callDays }: { callDays: number | null }): Purge[] {
  if (callDays === null) return [];
  return [
    purgeBySlices(({ now, limit }) =>
      store.write(batchRetentionTransactions.rejectedRows, { madeBefore: now - callDays * DAY_MS, limit }),
    ),
  ];
}
