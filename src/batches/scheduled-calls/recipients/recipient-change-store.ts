import { lockCall, setColumns } from '#calls/record/call-rows.js';
import { plannedFor } from '#calls/requests/draft-call.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { refuseWhileEnding } from '#batches/changes/batch-store.js';
import { takeBack } from '#batches/dispatch/call-number.js';
import { isWaiting } from '#batches/record/batch-machine.js';
import { changeBatch, changeRecipient, recounted } from '#batches/record/batch-rows.js';
import {
  lockMember,
  lockSettledMember,
  wake,
  type ChangeContexts,
  type Member,
  type RecipientChangeContext,
} from './batch-member.js';
import {
  isClosing,
  type FollowUp,
  type HandleChange,
} from '#batches/scheduled-calls/handles/handle-change.js';
import { retimeRecipient } from './recipient-times.js';
import { cancelRecipient, setRecipientStatus } from './recipient-status-change.js';

export const recipientChangeTransactions = defineTransactions('recipient_changes', {
  /** Changes one recipient. @throws Problem `invalid_state` if its status does not allow it */
  async change(
    tx,
    args: { batchId: string; callId: string; change: HandleChange } & RecipientChangeContext,
  ): Promise<FollowUp> {
    const { change } = args;
    const { at } = args.context;
    let member = await lockSettledMember(tx, args);
    if (change.time || change.status) member = await takenBack(tx, member, args);
    const wanted = change.status?.wanted;
    if (change.time || wanted === 'scheduled' || wanted === 'paused') refuseWhileEnding(member.batch);
    const labels = {
      ...(change.name === undefined ? {} : { label: change.name }),
      ...(change.from === undefined ? {} : { from_phone: change.from }),
    };
    if (Object.keys(labels).length > 0)
      member = {
        ...member,
        recipient: await changeRecipient(tx, member.recipient, { ...labels, updated_at: at }),
      };
    if (change.time)
      member = await retimeRecipient(tx, member, change.time, {
        ...args,
        isClosing: isClosing(change),
      });
    const followUp = change.status
      ? await setRecipientStatus(tx, member, change.status, args)
      : { hangUp: null };
    if (change.from !== undefined || change.time)
      await syncCall(tx, member.recipient.call_id, { ...change, at });
    return followUp;
  },

  /** Deletes the handle and cancels a waiting call. */
  async remove(tx, args: { batchId: string; callId: string } & ChangeContexts): Promise<FollowUp> {
    const member = await takenBack(tx, await lockMember(tx, args), args);
    await changeRecipient(tx, member.recipient, { deleted_at: args.context.at });
    if (member.recipient.status === 'dialling') return { hangUp: member.recipient.last_call_id };
    if (isWaiting(member.recipient.status)) await cancelRecipient(tx, member, args);
    return { hangUp: null };
  },
});

/** Recalls an undialled call from the queue, so that the change applies at once. */
async function takenBack(tx: Tx, { batch, recipient }: Member, { context }: ChangeContexts): Promise<Member> {
  const taken = recipient.status === 'dialling' ? await takeBack(tx, recipient, context.at) : null;
  if (!taken) return { batch, recipient };
  const counts = recounted(batch, recipient.status, taken.status);
  return { recipient: taken, batch: await wake(tx, await changeBatch(tx, batch, counts), context.at) };
}

/** Syncs the change to the undialled call. */
async function syncCall(
  tx: Tx,
  callId: string,
  { from, time, at }: HandleChange & { at: number },
): Promise<void> {
  const call = await lockCall(tx, callId);
  if (call?.status !== 'queued') return;
  setColumns(tx, callId, {
    ...(from === undefined ? {} : { from_phone: from }),
    ...(time ? { scheduled_time: time.written, ...plannedFor(time.at) } : {}),
    updated_at: at,
  });
}
