import { Problem } from '#kernel/errors/errors.js';
import { keepSuppressed } from '#policy/decisions/ask-policy.js';
import type { Tx } from '#store/transaction.js';
import { reopened } from '#batches/changes/batch-store.js';
import { isOpenElsewhere } from '#batches/dispatch/shared-numbers.js';
import { isWaiting } from '#batches/record/batch-machine.js';
import { changeBatch, changeRecipient, recounted } from '#batches/record/batch-rows.js';
import { dueAtOf } from '#batches/record/batch.js';
import { wake, type Member, type RecipientChangeContext } from './batch-member.js';
import type { WantedTime } from '#batches/scheduled-calls/handles/handle-change.js';

/**
 * Sets a new time. A waiting recipient is called then; one in a live call is called again then; a finished one is
 * requeued, unless it is its old time or the request closes it.
 */
export async function retimeRecipient(
  tx: Tx,
  member: Member,
  time: WantedTime,
  request: RecipientChangeContext & { isClosing: boolean },
): Promise<Member> {
  const { recipient } = member;
  const { at } = request.context;
  if (!isWaiting(recipient.status) && isTimeOf(member, time)) return member;
  const isLive = recipient.status === 'dialling';
  // A requested hang-up is dropped, because the recipient will be called again.
  const words = isLive ? { shown_status: null } : {};
  // Later than the time of the current call.
  const dueAt = isLive ? Math.max(time.at, at) : time.at;
  const own = { scheduled_time: time.written, scheduled_at: time.at, timezone: time.readIn ?? null };
  const timed = { ...words, ...own, due_at: dueAt, updated_at: at };
  const changed = { ...member, recipient: await changeRecipient(tx, recipient, timed) };
  const isOver = !isLive && !isWaiting(recipient.status);
  if (isOver) return request.isClosing ? changed : takeUp(tx, changed, request);
  await keepRefusal(tx, changed, request);
  return isLive ? changed : { ...changed, batch: await wake(tx, member.batch, at) };
}

/** True for the recipient's current time, its own or the batch's. */
function isTimeOf({ recipient, batch }: Member, time: WantedTime): boolean {
  const { scheduled_time: own, scheduled_at: ownAt, due_at: dueAt } = recipient;
  const had = own === null ? batch : { scheduled_time: own, scheduled_at: ownAt ?? dueAt };
  if (had.scheduled_time === null) return false;
  return time.written === had.scheduled_time || time.at === had.scheduled_at;
}

/** Stores the policy's decision on a suppressed number when its time is accepted. */
async function keepRefusal(
  tx: Tx,
  { batch, recipient }: Member,
  { rules, context: { at: now } }: RecipientChangeContext,
): Promise<void> {
  const { workspace } = batch;
  const dialAt = Math.max(now, dueAtOf(recipient, batch));
  const calls = [{ phoneNumber: recipient.phone_number, callId: recipient.call_id }];
  await keepSuppressed(tx, { workspace, now, dialAt, rules, calls });
}

/**
 * Requeues a finished recipient for the time in its row.
 * @throws Problem `invalid_state` for an erased number, or one that is open in another row
 */
export async function takeUp(tx: Tx, member: Member, request: RecipientChangeContext): Promise<Member> {
  const { batch, recipient } = member;
  const { at } = request.context;
  if (recipient.phone_number === '')
    throw new Problem('invalid_state', 'The number is erased: it cannot be called again.');
  if (await isOpenElsewhere(tx, recipient))
    throw new Problem('invalid_state', 'The number is in the batch twice, and open there already.');
  const open = await changeBatch(tx, batch, {
    ...reopened(batch, at),
    ...recounted(batch, recipient.status, 'retry_wait'),
    // Talk time counts only for recipients counted as reached.
    talk_seconds: batch.talk_seconds - (recipient.status === 'succeeded' ? recipient.duration_seconds : 0),
    updated_at: at,
  });
  const waiting = await changeRecipient(tx, recipient, {
    status: 'retry_wait',
    shown_status: null,
    reason: null,
  });
  await keepRefusal(tx, member, request);
  return { batch: open, recipient: waiting };
}
