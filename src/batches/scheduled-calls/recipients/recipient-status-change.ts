import { Problem } from '#kernel/errors/errors.js';
import type { WantedStatus } from '#schedules/record/status-words.js';
import type { Tx } from '#store/transaction.js';
import { cancelWaitingCall } from '#batches/dispatch/call-number.js';
import { COUNTED_AS, type RecipientCount } from '#batches/record/batch-machine.js';
import { progressBatch } from '#batches/record/batch-progress.js';
import { changeRecipient, recounted } from '#batches/record/batch-rows.js';
import type { RecipientRow } from '#batches/record/batch.js';
import { wake, type ChangeContexts, type Member, type RecipientChangeContext } from './batch-member.js';
import type { FollowUp, HandleChange } from '#batches/scheduled-calls/handles/handle-change.js';
import { takeUp } from './recipient-times.js';

/** Effect of a status word on a recipient. Returns the changes of its row. */
type Action = (tx: Tx, member: Member, request: RecipientChangeContext) => Promise<Partial<RecipientRow>>;

const arm: Action = async (tx, { batch, recipient }, { context }) => {
  await wake(tx, batch, context.at);
  return { status: await waitingStatus(tx, recipient) };
};
const armAgain: Action = async (tx, member, request) => arm(tx, await takeUp(tx, member, request), request);
const hold: Action = async () => ({ status: 'paused' });
const callOff: Action = async (tx, member, txContexts) => {
  await cancelRecipient(tx, member, txContexts);
  return {};
};
/** Already fulfilled, or fulfilled by hanging up. */
const nothing: Action = async () => ({});

/** Allowed status words by the counter of the recipient's status, and their effect. */
const ACTIONS: Record<WantedStatus, Partial<Record<RecipientCount, Action>>> = {
  scheduled: { waiting: arm, cancelled: armAgain },
  paused: { waiting: hold },
  cancelled: { waiting: callOff, in_flight: nothing, cancelled: nothing },
  completed: { waiting: callOff, succeeded: nothing, cancelled: nothing },
};

/**
 * Applies a status word to a recipient and stores the word.
 * @throws Problem `invalid_state` if its status does not allow it
 */
export async function setRecipientStatus(
  tx: Tx,
  member: Member,
  { word, wanted }: NonNullable<HandleChange['status']>,
  request: RecipientChangeContext,
): Promise<FollowUp> {
  const { recipient } = member;
  const action = ACTIONS[wanted][COUNTED_AS[recipient.status]];
  if (!action)
    throw new Problem('invalid_state', `This is not possible for a call that is ${recipient.status}.`);
  const changes = await action(tx, member, request);
  await changeRecipient(tx, recipient, { ...changes, shown_status: word, updated_at: request.context.at });
  return { hangUp: recipient.status === 'dialling' ? recipient.last_call_id : null };
}

/** A recipient whose first call was never dialled waits for that call; others for a further one. */
async function waitingStatus(tx: Tx, recipient: RecipientRow): Promise<'pending' | 'retry_wait'> {
  const own = await tx.get('select ended_at from calls where id = ?', recipient.call_id);
  return recipient.attempts === 0 && own?.['ended_at'] === null ? 'pending' : 'retry_wait';
}

/** Cancels a waiting recipient. */
export async function cancelRecipient(
  tx: Tx,
  { batch, recipient }: Member,
  txContexts: ChangeContexts,
): Promise<void> {
  const { context, callContext } = txContexts;
  await changeRecipient(tx, recipient, { status: 'cancelled', reason: 'cancelled', updated_at: context.at });
  await cancelWaitingCall(tx, recipient, callContext);
  await progressBatch(tx, batch, recounted(batch, recipient.status, 'cancelled'), context);
}
