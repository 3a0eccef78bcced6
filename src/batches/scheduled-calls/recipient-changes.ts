import type { TxContext } from '#calls/record/call-progress.js';
import { storeSuppressedRefusals } from '#policy/decisions/ask-policy.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { scheduleNotFound } from '#schedules/record/schedule-rows.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { refuseUntilEnded } from '#batches/changes/batch-store.js';
import { cancelWaitingCall, recallNumber } from '#batches/dispatch/call-number.js';
import { syncNumber } from '#batches/dispatch/sync-calls.js';
import { isWaiting } from '#batches/record/batch-machine.js';
import { progressBatch, type BatchTxContext } from '#batches/record/batch-progress.js';
import {
  changeBatch,
  changeRecipient,
  lockBatch,
  recipientsWhere,
  recounted,
} from '#batches/record/batch-rows.js';
import { dueAtOf, type BatchRow, type RecipientRow } from '#batches/record/batch.js';
import { recipientStatus } from '#batches/record/recipient-status.js';
import { settleBatchCall } from '#batches/settling/settle-store.js';
import { effectOf, refuseOtherPlan, type CallToHangUp, type HandleChange } from './handle-change.js';

/** A number with its locked batch. */
interface Member {
  batch: BatchRow;
  recipient: RecipientRow;
}

/** A request about one number: the number, and the contexts of changes of its batch and of its call. */
interface NumberRequest {
  batchId: string;
  callId: string;
  context: BatchTxContext;
  callContext: TxContext;
}

/** A requested change of a number. */
interface RecipientChange extends NumberRequest {
  change: HandleChange;
  /** Like `context`, but with other event ids: for settling an earlier end of the call before the change. */
  endContext: BatchTxContext;
  /** The rules of the calling policy. */
  rules: PolicyRules;
}

/** The transactions of `ScheduledCalls` on one number of a batch. */
export const recipientChangeTransactions = defineTransactions('recipient_changes', {
  /**
   * Changes one number: time and caller id while it waits, its status, its name always. A call that is queued but not
   * dialled is taken back first (unless only the name changes), so that the change applies at once.
   * @throws Problem `invalid_state` if its status does not allow the change
   */
  async change(tx, request: RecipientChange): Promise<CallToHangUp> {
    const { change, context } = request;
    const { name: label, status } = change;
    const isNameOnly = change.time === undefined && change.from === undefined && status === undefined;
    const settled = await lockSettledMember(tx, request);
    let member = isNameOnly ? settled : await recallUndialled(tx, settled, request);
    if (label !== undefined) {
      const recipient = await changeRecipient(tx, member.recipient, { label, updated_at: context.at });
      member = { ...member, recipient };
    }
    if (isWaiting(member.recipient.status)) member = await retime(tx, member, request);
    else refuseOtherPlan(change, planOf(member), 'call', recipientStatus(member.recipient));
    return status ? setStatus(tx, member, request, status) : { hangUp: null };
  },

  /** Deletes the handle and cancels a waiting number. Returns a live call, to hang up. */
  async remove(tx, named: NumberRequest): Promise<CallToHangUp> {
    const member = await recallUndialled(tx, await lockMember(tx, named), named);
    const { recipient } = member;
    await changeRecipient(tx, recipient, { deleted_at: named.context.at });
    if (recipient.status === 'dialling') return { hangUp: recipient.last_call_id };
    if (isWaiting(recipient.status)) await cancel(tx, member, named);
    return { hangUp: null };
  },
});

/** @throws Problem `scheduled_call_not_found` */
async function lockMember(tx: Tx, args: { batchId: string; callId: string }): Promise<Member> {
  const batch = await lockBatch(tx, args.batchId);
  const [recipient] = batch ? await recipientsWhere(tx, batch.id, 'call_id = ?', args.callId) : [];
  if (!batch || !recipient || recipient.deleted_at !== null) throw scheduleNotFound();
  return { batch, recipient };
}

/**
 * {@link lockMember}, after settling the end of the recipient's call: the request comes after that end and must not be
 * undone by it.
 */
async function lockSettledMember(tx: Tx, request: RecipientChange): Promise<Member> {
  const member = await lockMember(tx, request);
  const { last_call_id: callId } = member.recipient;
  return (await settleBatchCall(tx, { callId, context: request.endContext }))
    ? lockMember(tx, request)
    : member;
}

/** Takes an undialled call back from the queue: the number waits again. A dialled call stays. */
async function recallUndialled(
  tx: Tx,
  { batch, recipient }: Member,
  { context: { at } }: NumberRequest,
): Promise<Member> {
  const taken = recipient.status === 'dialling' ? await recallNumber(tx, recipient, at) : null;
  if (!taken) return { batch, recipient };
  const counts = recounted(batch, recipient.status, taken.status);
  return { recipient: taken, batch: await wakeDispatcher(tx, await changeBatch(tx, batch, counts), at) };
}

/** Wakes the dispatcher, unless the batch is paused or finished. */
async function wakeDispatcher(tx: Tx, batch: BatchRow, at: number): Promise<BatchRow> {
  const isRunning = ['scheduled', 'initiated', 'in_progress'].includes(batch.status);
  return isRunning ? changeBatch(tx, batch, { feed_at: at }) : batch;
}

/**
 * The time and caller id of a number: its own, or those of its batch. Rows of earlier releases have no `scheduled_at`,
 * and their `due_at` counts.
 */
function planOf({ recipient, batch }: Member) {
  const { scheduled_time: own, scheduled_at: ownAt, due_at: dueAt, from_phone: from } = recipient;
  return { at: own === null ? batch.scheduled_at : (ownAt ?? dueAt), from: from ?? batch.from_phone };
}

/**
 * Gives a waiting number another time or caller id. As when the batch was created, the policy's refusal of a suppressed
 * number is stored with a new time.
 */
async function retime(
  tx: Tx,
  { batch, recipient }: Member,
  { change: { from, time }, rules, context: { at } }: RecipientChange,
): Promise<Member> {
  if (from === undefined && !time) return { batch, recipient };
  if (time) refuseUntilEnded(batch);
  const changed = await changeRecipient(tx, recipient, {
    ...(from === undefined ? {} : { from_phone: from }),
    ...(time && {
      scheduled_time: time.written,
      scheduled_at: time.at,
      timezone: time.readIn ?? null,
      due_at: time.at,
    }),
    updated_at: at,
  });
  await syncNumber(tx, recipient.call_id, { from, time }, at);
  if (!time) return { batch, recipient: changed };
  const calls = [{ phoneNumber: recipient.phone_number, callId: recipient.call_id }];
  const dialAt = Math.max(at, dueAtOf(changed, batch));
  await storeSuppressedRefusals(tx, { workspace: batch.workspace, now: at, dialAt, rules, calls });
  return { recipient: changed, batch: await wakeDispatcher(tx, batch, at) };
}

/** Applies a status word: pauses the number, lets it wait again, ends it, or only shows the word. */
async function setStatus(
  tx: Tx,
  member: Member,
  request: RecipientChange,
  status: NonNullable<HandleChange['status']>,
): Promise<CallToHangUp> {
  const { batch, recipient } = member;
  const { at } = request.context;
  const effect = effectOf(status, recipientStatus(recipient));
  if (effect === 'arm' || effect === 'hold') refuseUntilEnded(batch);
  await changeRecipient(tx, recipient, {
    shown_status: status.word,
    updated_at: at,
    ...(effect === 'hold' && { status: 'paused' }),
    ...(effect === 'arm' && { status: await waitingStatus(tx, recipient) }),
  });
  if (effect === 'arm') await wakeDispatcher(tx, batch, at);
  if (effect !== 'end') return { hangUp: null };
  if (recipient.status === 'dialling') return { hangUp: recipient.last_call_id };
  await cancel(tx, member, request);
  return { hangUp: null };
}

/** A recipient whose first call was never dialled waits for that call; others for another attempt. */
async function waitingStatus(tx: Tx, recipient: RecipientRow): Promise<'pending' | 'retry_wait'> {
  const firstCall = await tx.get('select ended_at from calls where id = ?', recipient.call_id);
  return recipient.attempts === 0 && firstCall?.['ended_at'] === null ? 'pending' : 'retry_wait';
}

/** Cancels a waiting number. */
async function cancel(
  tx: Tx,
  { batch, recipient }: Member,
  { context, callContext }: NumberRequest,
): Promise<void> {
  await changeRecipient(tx, recipient, { status: 'cancelled', reason: 'cancelled', updated_at: context.at });
  await cancelWaitingCall(tx, recipient, callContext);
  await progressBatch(tx, batch, recounted(batch, recipient.status, 'cancelled'), context);
}
