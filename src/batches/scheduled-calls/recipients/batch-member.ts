import type { TxContext } from '#calls/record/call-progress.js';
import { Problem } from '#kernel/errors/errors.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/transaction.js';
import type { BatchTxContext } from '#batches/record/batch-progress.js';
import { changeBatch, lockBatch, recipientsWhere } from '#batches/record/batch-rows.js';
import type { BatchRow, RecipientRow } from '#batches/record/batch.js';
import { settleCall } from '#batches/settling/settle-store.js';

/** A number with its locked batch. */
export interface Member {
  batch: BatchRow;
  recipient: RecipientRow;
}

/** Contexts of a change for the batch and for the call. */
export interface ChangeContexts {
  context: BatchTxContext;
  callContext: TxContext;
  /** The same instant, for an end of the call that the batch has not settled yet. */
  endContext: BatchTxContext;
}

/** Context of a request on a recipient. */
export interface RecipientChangeContext extends ChangeContexts {
  /** The rules of the policy. */
  rules: PolicyRules;
}

/** @throws Problem `scheduled_call_not_found` */
export async function lockMember(tx: Tx, args: { batchId: string; callId: string }): Promise<Member> {
  const batch = await lockBatch(tx, args.batchId);
  const [recipient] = batch ? await recipientsWhere(tx, batch.id, 'call_id = ?', args.callId) : [];
  if (!batch || !recipient || recipient.deleted_at !== null)
    throw new Problem('scheduled_call_not_found', 'There is no scheduled call with this id.');
  return { batch, recipient };
}

/**
 * {@link lockMember}, after settling the end of the recipient's call: the request comes after that end and must not be
 * undone by it.
 */
export async function lockSettledMember(
  tx: Tx,
  args: { batchId: string; callId: string; endContext: BatchTxContext },
): Promise<Member> {
  const member = await lockMember(tx, args);
  const { last_call_id: callId } = member.recipient;
  return (await settleCall(tx, { callId, context: args.endContext })) ? lockMember(tx, args) : member;
}

/** Wakes the dispatcher, unless the batch is paused or finished. */
export async function wake(tx: Tx, batch: BatchRow, at: number): Promise<BatchRow> {
  const isRunning = ['scheduled', 'initiated', 'in_progress'].includes(batch.status);
  return isRunning ? changeBatch(tx, batch, { feed_at: at }) : batch;
}
