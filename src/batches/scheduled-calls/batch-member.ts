import type { Moment } from '../../calls/record/call-progress.js';
import { Problem } from '../../kernel/errors.js';
import type { PolicyRules } from '../../policy/policy-rules.js';
import type { Tx } from '../../store/unit.js';
import type { BatchMoment } from '../record/batch-progress.js';
import { changeBatch, lockBatch, recipientsWhere } from '../record/batch-rows.js';
import type { BatchRow, RecipientRow } from '../record/batch.js';

/** A number of a batch that is held, with it. */
export interface Member {
  batch: BatchRow;
  recipient: RecipientRow;
}

/** When a callee changes, for the batch and for the call. */
export interface ChangeMoments {
  moment: BatchMoment;
  callMoment: Moment;
}

/** What a wish for a callee takes. */
export interface WishMoments extends ChangeMoments {
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

/** The feeder looks again, unless the batch is on hold or over. */
export async function wake(tx: Tx, batch: BatchRow, at: number): Promise<BatchRow> {
  const isRunning = ['scheduled', 'initiated', 'in_progress'].includes(batch.status);
  return isRunning ? changeBatch(tx, batch, { feed_at: at }) : batch;
}
