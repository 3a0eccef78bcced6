import type { Moment } from '#calls/record/call-progress.js';
import { Problem } from '#kernel/errors/errors.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/unit.js';
import type { BatchMoment } from '#batches/record/batch-progress.js';
import { changeBatch, lockBatch, recipientsWhere } from '#batches/record/batch-rows.js';
import type { BatchRow, RecipientRow } from '#batches/record/batch.js';
import { settleCall } from '#batches/settling/settle-store.js';

/** A number of a batch that is held, with it. */
export interface Member {
  batch: BatchRow;
  recipient: RecipientRow;
}

/** When a callee changes, for the batch and for the call. */
export interface ChangeMoments {
  moment: BatchMoment;
  callMoment: Moment;
  /** The same instant for the end of the call, where the batch has yet to hear of it. */
  endMoment: BatchMoment;
}

/** What a request for a callee takes. */
export interface RecipientChangeContext extends ChangeMoments {
  /** What the policy goes by. */
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
 * {@link lockMember}, once the batch has heard of the end of the callee's call: what is asked for comes after that end
 * and must not be undone by it.
 */
export async function lockSettledMember(
  tx: Tx,
  args: { batchId: string; callId: string; endMoment: BatchMoment },
): Promise<Member> {
  const member = await lockMember(tx, args);
  const { last_call_id: callId } = member.recipient;
  return (await settleCall(tx, { callId, moment: args.endMoment })) ? lockMember(tx, args) : member;
}

/** The feeder looks again, unless the batch is on hold or over. */
export async function wake(tx: Tx, batch: BatchRow, at: number): Promise<BatchRow> {
  const isRunning = ['scheduled', 'initiated', 'in_progress'].includes(batch.status);
  return isRunning ? changeBatch(tx, batch, { feed_at: at }) : batch;
}
