import { moveCall, type Moment } from '../../calls/record/call-progress.js';
import { lockCall, setColumns } from '../../calls/record/call-rows.js';
import { plannedFor } from '../../calls/requests/draft-call.js';
import { Problem } from '../../kernel/errors.js';
import { keepSuppressed } from '../../policy/ask-policy.js';
import type { PolicyRules } from '../../policy/policy-rules.js';
import type { WantedStatus } from '../../schedules/record/status-words.js';
import { defineUnits, type Tx } from '../../store/unit.js';
import { progressBatch, type BatchMoment } from '../record/batch-progress.js';
import { changeBatch, changeRecipient, lockBatch, recipientsWhere, recounted } from '../record/batch-rows.js';
import { refuseWhileEnding, reopened } from '../changes/batch-store.js';
import { takeBack } from '../feeding/call-number.js';
import { isOpenElsewhere } from '../feeding/shared-numbers.js';
import { dueAtOf, type BatchRow, type RecipientRow } from '../record/batch.js';
import { COUNTED_AS, isWaiting, type RecipientCount } from '../record/batch-machine.js';
import type { Aftermath, HandleChange, WantedTime } from './handle-change.js';

interface Member {
  batch: BatchRow;
  recipient: RecipientRow;
}

/** When a callee changes, for the batch and for the call. */
interface ChangeMoments {
  moment: BatchMoment;
  callMoment: Moment;
}

/** What a wish for a callee takes. */
interface WishMoments extends ChangeMoments {
  /** What the policy goes by. */
  rules: PolicyRules;
}

export const recipientChangeUnits = defineUnits('recipient_changes', {
  /** Changes one callee. @throws Problem `invalid_state` where the moment is wrong for what is wanted */
  async change(
    tx,
    args: { batchId: string; callId: string; change: HandleChange } & WishMoments,
  ): Promise<Aftermath> {
    const { change } = args;
    const { at } = args.moment;
    let member = await lockMember(tx, args);
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
    if (change.time) member = await retime(tx, member, change.time, args);
    const aftermath = change.status ? await setStatus(tx, member, change.status, args) : { hangUp: null };
    if (change.from !== undefined || change.time)
      await mirror(tx, member.recipient.call_id, { ...change, at });
    return aftermath;
  },

  /** The handle is gone for good; what was open of it is called off. */
  async remove(tx, args: { batchId: string; callId: string } & ChangeMoments): Promise<Aftermath> {
    const member = await takenBack(tx, await lockMember(tx, args), args);
    await changeRecipient(tx, member.recipient, { deleted_at: args.moment.at });
    if (member.recipient.status === 'dialling') return { hangUp: member.recipient.last_call_id };
    if (isWaiting(member.recipient.status)) await cancel(tx, member, args);
    return { hangUp: null };
  },
});

async function lockMember(tx: Tx, args: { batchId: string; callId: string }): Promise<Member> {
  const batch = await lockBatch(tx, args.batchId);
  const [recipient] = batch ? await recipientsWhere(tx, batch.id, 'call_id = ?', args.callId) : [];
  if (!batch || !recipient || recipient.deleted_at !== null)
    throw new Problem('scheduled_call_not_found', 'There is no scheduled call with this id.');
  return { batch, recipient };
}

/** Who only waits for the dialler is taken back: no phone rings, so whatever was wanted of them holds at once. */
async function takenBack(
  tx: Tx,
  { batch, recipient }: Member,
  { moment, callMoment }: ChangeMoments,
): Promise<Member> {
  const taken = recipient.status === 'dialling' ? await takeBack(tx, recipient, callMoment) : null;
  if (!taken) return { batch, recipient };
  const counts = recounted(batch, recipient.status, taken.status);
  return { recipient: taken, batch: await wake(tx, await changeBatch(tx, batch, counts), moment.at) };
}

/**
 * A new time: for who waits it is when; for who is being called it is when again; who was called is called again, but
 * not by the time that they had.
 */
async function retime(tx: Tx, member: Member, time: WantedTime, wish: WishMoments): Promise<Member> {
  const { recipient } = member;
  const { at } = wish.moment;
  if (!isWaiting(recipient.status) && isTimeOf(member, time)) return member;
  const isLive = recipient.status === 'dialling';
  // Who was to be hung up on is to be called again after all.
  const words = isLive ? { shown_status: null } : {};
  // Later than the time that they are being called for.
  const dueAt = isLive ? Math.max(time.at, at) : time.at;
  const timed = { ...words, scheduled_time: time.written, due_at: dueAt, updated_at: at };
  const changed = { ...member, recipient: await changeRecipient(tx, recipient, timed) };
  await keepRefusal(tx, changed, wish);
  if (isLive) return changed;
  if (isWaiting(recipient.status)) return { ...changed, batch: await wake(tx, member.batch, at) };
  return rearm(tx, changed, at);
}

/** Whether it is the time that a callee had already, own or with the batch. */
function isTimeOf({ recipient, batch }: Member, time: WantedTime): boolean {
  const { scheduled_time: own, due_at: ownAt } = recipient;
  const had = own === null ? batch : { scheduled_time: own, scheduled_at: ownAt };
  if (had.scheduled_time === null) return false;
  return time.written === had.scheduled_time || time.at === had.scheduled_at;
}

/** Who will not be called at the time because of the suppression list is on record from when it was accepted. */
async function keepRefusal(
  tx: Tx,
  { batch, recipient }: Member,
  { rules, moment: { at: now } }: WishMoments,
): Promise<void> {
  const { workspace } = batch;
  const dialAt = Math.max(now, dueAtOf(recipient, batch));
  const calls = [{ phoneNumber: recipient.phone_number, callId: recipient.call_id }];
  await keepSuppressed(tx, { workspace, now, dialAt, rules, calls });
}

/** Whose turn is over is called again at the time that stands in the row. */
async function rearm(tx: Tx, { batch, recipient }: Member, at: number): Promise<Member> {
  if (recipient.phone_number === '')
    throw new Problem('invalid_state', 'The number is erased: it cannot be called again.');
  if (await isOpenElsewhere(tx, recipient))
    throw new Problem('invalid_state', 'The number is in the batch twice, and open there already.');
  const open = await changeBatch(tx, batch, {
    ...reopened(batch, at),
    ...recounted(batch, recipient.status, 'retry_wait'),
    updated_at: at,
  });
  const waiting = await changeRecipient(tx, recipient, {
    status: 'retry_wait',
    shown_status: null,
    reason: null,
  });
  return { batch: open, recipient: waiting };
}

/** What is done to a callee for a wish. Gives back what that makes of the row. */
type Deed = (tx: Tx, member: Member, wish: WishMoments) => Promise<Partial<RecipientRow>>;

const arm: Deed = async (tx, { batch, recipient }, { moment }) => {
  await wake(tx, batch, moment.at);
  return { status: await waitingStatus(tx, recipient) };
};
const takeUpAgain: Deed = async (tx, member, wish) => {
  const rearmed = await rearm(tx, member, wish.moment.at);
  await keepRefusal(tx, rearmed, wish);
  return arm(tx, rearmed, wish);
};
const hold: Deed = async () => ({ status: 'paused' });
const callOff: Deed = async (tx, member, moments) => {
  await cancel(tx, member, moments);
  return {};
};
/** It is so already, or comes to be when the call is hung up. */
const nothing: Deed = async () => ({});

/** What a client may wish of a callee who stands so, and what that does. */
const DEEDS: Record<WantedStatus, Partial<Record<RecipientCount, Deed>>> = {
  scheduled: { waiting: arm, cancelled: takeUpAgain },
  paused: { waiting: hold },
  cancelled: { waiting: callOff, in_flight: nothing, cancelled: nothing },
  completed: { waiting: callOff, succeeded: nothing, cancelled: nothing },
};

async function setStatus(
  tx: Tx,
  member: Member,
  { word, wanted }: NonNullable<HandleChange['status']>,
  wish: WishMoments,
): Promise<Aftermath> {
  const { recipient } = member;
  const deed = DEEDS[wanted][COUNTED_AS[recipient.status]];
  if (!deed)
    throw new Problem('invalid_state', `This is not possible for a call that is ${recipient.status}.`);
  const changes = await deed(tx, member, wish);
  await changeRecipient(tx, recipient, { ...changes, shown_status: word, updated_at: wish.moment.at });
  return { hangUp: recipient.status === 'dialling' ? recipient.last_call_id : null };
}

/** Who has a call of his own that was never dialled waits for that; everybody else for a further one. */
async function waitingStatus(tx: Tx, recipient: RecipientRow): Promise<'pending' | 'retry_wait'> {
  const own = await tx.get('select ended_at from calls where id = ?', recipient.call_id);
  return recipient.attempts === 0 && own?.['ended_at'] === null ? 'pending' : 'retry_wait';
}

async function cancel(tx: Tx, { batch, recipient }: Member, moments: ChangeMoments): Promise<void> {
  const { moment, callMoment } = moments;
  await changeRecipient(tx, recipient, { status: 'cancelled', reason: 'cancelled', updated_at: moment.at });
  const own = await lockCall(tx, recipient.call_id);
  if (own) await moveCall(tx, own, { to: 'cancelled', moment: callMoment, reason: 'cancelled' });
  await progressBatch(tx, batch, recounted(batch, recipient.status, 'cancelled'), moment);
}

/** The feeder looks again, unless the batch is on hold or over. */
async function wake(tx: Tx, batch: BatchRow, at: number): Promise<BatchRow> {
  const isRunning = ['scheduled', 'initiated', 'in_progress'].includes(batch.status);
  return isRunning ? changeBatch(tx, batch, { feed_at: at }) : batch;
}

/** The call itself tells the same as its handle, as long as it was not dialled. */
async function mirror(
  tx: Tx,
  callId: string,
  { from, time, at }: HandleChange & { at: number },
): Promise<void> {
  const call = await lockCall(tx, callId);
  if (call?.status !== 'queued') return;
  await setColumns(tx, callId, {
    ...(from === undefined ? {} : { from_phone: from }),
    ...(time ? { scheduled_time: time.written, ...plannedFor(time.at) } : {}),
    updated_at: at,
  });
}
