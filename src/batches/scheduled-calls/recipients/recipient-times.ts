import { Problem } from '#kernel/errors/errors.js';
import { keepSuppressed } from '#policy/decisions/ask-policy.js';
import type { Tx } from '#store/unit.js';
import { reopened } from '#batches/changes/batch-store.js';
import { isOpenElsewhere } from '#batches/feeding/shared-numbers.js';
import { isWaiting } from '#batches/record/batch-machine.js';
import { changeBatch, changeRecipient, recounted } from '#batches/record/batch-rows.js';
import { dueAtOf } from '#batches/record/batch.js';
import { wake, type Member, type RecipientChangeContext } from './batch-member.js';
import type { WantedTime } from '#batches/scheduled-calls/handles/handle-change.js';

/**
 * A new time: for who waits it is when; for who is being called it is when again; who was called is called again, but
 * not by the time that they had, and not where they are to be closed with it.
 */
export async function retimeRecipient(
  tx: Tx,
  member: Member,
  time: WantedTime,
  request: RecipientChangeContext & { isClosing: boolean },
): Promise<Member> {
  const { recipient } = member;
  const { at } = request.moment;
  if (!isWaiting(recipient.status) && isTimeOf(member, time)) return member;
  const isLive = recipient.status === 'dialling';
  // Who was to be hung up on is to be called again after all.
  const words = isLive ? { shown_status: null } : {};
  // Later than the time that they are being called for.
  const dueAt = isLive ? Math.max(time.at, at) : time.at;
  const own = { scheduled_time: time.written, scheduled_at: time.at, timezone: time.readIn ?? null };
  const timed = { ...words, ...own, due_at: dueAt, updated_at: at };
  const changed = { ...member, recipient: await changeRecipient(tx, recipient, timed) };
  const isOver = !isLive && !isWaiting(recipient.status);
  if (isOver) return request.isClosing ? changed : takeUp(tx, changed, request);
  await keepRefusal(tx, changed, request);
  return isLive ? changed : { ...changed, batch: await wake(tx, member.batch, at) };
}

/** Whether it is the time that a callee had already, own or with the batch. */
function isTimeOf({ recipient, batch }: Member, time: WantedTime): boolean {
  const { scheduled_time: own, scheduled_at: ownAt, due_at: dueAt } = recipient;
  const had = own === null ? batch : { scheduled_time: own, scheduled_at: ownAt ?? dueAt };
  if (had.scheduled_time === null) return false;
  return time.written === had.scheduled_time || time.at === had.scheduled_at;
}

/** Who will not be called at the time because of the suppression list is on record from when it was accepted. */
async function keepRefusal(
  tx: Tx,
  { batch, recipient }: Member,
  { rules, moment: { at: now } }: RecipientChangeContext,
): Promise<void> {
  const { workspace } = batch;
  const dialAt = Math.max(now, dueAtOf(recipient, batch));
  const calls = [{ phoneNumber: recipient.phone_number, callId: recipient.call_id }];
  await keepSuppressed(tx, { workspace, now, dialAt, rules, calls });
}

/**
 * Whose turn is over is called again at the time that stands in the row.
 * @throws Problem `invalid_state` for a number that is erased, or open in another row
 */
export async function takeUp(tx: Tx, member: Member, request: RecipientChangeContext): Promise<Member> {
  const { batch, recipient } = member;
  const { at } = request.moment;
  if (recipient.phone_number === '')
    throw new Problem('invalid_state', 'The number is erased: it cannot be called again.');
  if (await isOpenElsewhere(tx, recipient))
    throw new Problem('invalid_state', 'The number is in the batch twice, and open there already.');
  const open = await changeBatch(tx, batch, {
    ...reopened(batch, at),
    ...recounted(batch, recipient.status, 'retry_wait'),
    // A talk counts for as long as whom it was with counts as reached.
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
