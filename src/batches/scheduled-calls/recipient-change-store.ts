import { moveCall, type Moment } from '../../calls/record/call-progress.js';
import { lockCall, setColumns } from '../../calls/record/call-rows.js';
import { plannedFor } from '../../calls/requests/draft-call.js';
import { Problem } from '../../kernel/errors.js';
import type { StatusWord, WantedStatus } from '../../schedules/record/status-words.js';
import { defineUnits, type Tx } from '../../store/unit.js';
import { progressBatch, type BatchMoment } from '../record/batch-progress.js';
import { changeBatch, changeRecipient, lockBatch, recipientsWhere } from '../record/batch-rows.js';
import { refuseWhileEnding, reopened } from '../changes/batch-store.js';
import { takeBack } from '../feeding/call-number.js';
import { isOpenElsewhere } from '../feeding/shared-numbers.js';
import type { BatchRow, RecipientRow } from '../record/batch.js';
import type { RecipientStatus } from '../record/batch-machine.js';

/** A change of one callee of a batch; what is left out stays. */
export interface HandleChange {
  name?: string | undefined;
  from?: string | undefined;
  /** A new time, as it was written and as epoch milliseconds; and the zone that was named with it. */
  time?: { written: string; at: number; zone?: string | undefined } | undefined;
  status?: { word: StatusWord; wanted: WantedStatus } | undefined;
}

/** What remains to be done outside the database: a call to hang up. */
export interface Aftermath {
  hangUp: string | null;
}

interface Member {
  batch: BatchRow;
  recipient: RecipientRow;
}

const WAITING: readonly RecipientStatus[] = ['pending', 'retry_wait', 'paused'];

/** The count of a batch that a number in a final state belongs to. */
const COUNT_OF = {
  succeeded: 'succeeded',
  failed: 'failed',
  expired: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
} as const;

export const recipientChangeUnits = defineUnits('recipient_changes', {
  /** Changes one callee. @throws Problem `invalid_state` where the moment is wrong for what is wanted */
  async change(
    tx,
    args: { batchId: string; callId: string; change: HandleChange; moment: BatchMoment; callMoment: Moment },
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
    if (change.time) member = await retime(tx, member, change.time, at);
    const aftermath = change.status ? await setStatus(tx, member, change.status, args) : { hangUp: null };
    if (change.from !== undefined || change.time)
      await mirror(tx, member.recipient.call_id, { ...change, at });
    return aftermath;
  },

  /** The handle is gone for good; what was open of it is called off. */
  async remove(
    tx,
    args: { batchId: string; callId: string; moment: BatchMoment; callMoment: Moment },
  ): Promise<Aftermath> {
    const member = await takenBack(tx, await lockMember(tx, args), args);
    await changeRecipient(tx, member.recipient, { deleted_at: args.moment.at });
    if (member.recipient.status === 'dialling') return { hangUp: member.recipient.last_call_id };
    if (WAITING.includes(member.recipient.status)) await cancel(tx, member, args);
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
  { moment, callMoment }: { moment: BatchMoment; callMoment: Moment },
): Promise<Member> {
  const taken = recipient.status === 'dialling' ? await takeBack(tx, recipient, callMoment) : null;
  if (!taken) return { batch, recipient };
  const counts = { waiting: batch.waiting + 1, in_flight: batch.in_flight - 1 };
  return { recipient: taken, batch: await wake(tx, await changeBatch(tx, batch, counts), moment.at) };
}

/** A new time: for who waits it is when; for who is being called it is when again; who was called is called again. */
async function retime(
  tx: Tx,
  member: Member,
  time: { written: string; at: number },
  at: number,
): Promise<Member> {
  const { recipient } = member;
  const isLive = recipient.status === 'dialling';
  // Who was to be hung up on is to be called again after all.
  const words = isLive ? { shown_status: null } : {};
  const timed = { ...words, scheduled_time: time.written, due_at: time.at, updated_at: at };
  if (WAITING.includes(recipient.status) || isLive) {
    const changed = { ...member, recipient: await changeRecipient(tx, recipient, timed) };
    return WAITING.includes(recipient.status)
      ? { ...changed, batch: await wake(tx, member.batch, at) }
      : changed;
  }
  return rearm(tx, { ...member, recipient: await changeRecipient(tx, recipient, timed) }, at);
}

/** Who was called, or not at all, is called again at the time that stands in the row. */
async function rearm(tx: Tx, { batch, recipient }: Member, at: number): Promise<Member> {
  const { status } = recipient;
  if (!(status in COUNT_OF)) return { batch, recipient };
  if (recipient.phone_number === '')
    throw new Problem('invalid_state', 'The number is erased: it cannot be called again.');
  if (await isOpenElsewhere(tx, recipient))
    throw new Problem('invalid_state', 'The number is in the batch twice, and open there already.');
  const count = COUNT_OF[status as keyof typeof COUNT_OF];
  const open = await changeBatch(tx, batch, {
    ...reopened(batch, at),
    waiting: batch.waiting + 1,
    [count]: batch[count] - 1,
    updated_at: at,
  });
  const waiting = await changeRecipient(tx, recipient, {
    status: 'retry_wait',
    shown_status: null,
    reason: null,
  });
  return { batch: open, recipient: waiting };
}

async function setStatus(
  tx: Tx,
  member: Member,
  { word, wanted }: NonNullable<HandleChange['status']>,
  args: { moment: BatchMoment; callMoment: Moment },
): Promise<Aftermath> {
  const { recipient } = member;
  const isWaiting = WAITING.includes(recipient.status);
  const { at } = args.moment;
  const shown = { shown_status: word, updated_at: at };
  if (wanted === 'scheduled') {
    if (!isWaiting && recipient.status !== 'cancelled') throw wrongMoment(recipient);
    const armed = isWaiting ? member : await rearm(tx, member, at);
    const status = await waitingStatus(tx, armed.recipient);
    await changeRecipient(tx, armed.recipient, { ...shown, status });
    await wake(tx, armed.batch, at);
  } else if (wanted === 'paused') {
    if (!isWaiting) throw wrongMoment(recipient);
    await changeRecipient(tx, recipient, { ...shown, status: 'paused' });
  } else if (isWaiting) {
    await cancel(tx, member, args);
    await changeRecipient(tx, recipient, shown);
  } else if (recipient.status === 'dialling') {
    if (wanted === 'completed') throw wrongMoment(recipient);
    await changeRecipient(tx, recipient, shown);
    return { hangUp: recipient.last_call_id };
  } else if (recipient.status !== (wanted === 'completed' ? 'succeeded' : 'cancelled')) {
    throw wrongMoment(recipient);
  } else await changeRecipient(tx, recipient, shown);
  return { hangUp: null };
}

/** Who has a call of his own that was never dialled waits for that; everybody else for a further one. */
async function waitingStatus(tx: Tx, recipient: RecipientRow): Promise<'pending' | 'retry_wait'> {
  const own = await tx.get('select ended_at from calls where id = ?', recipient.call_id);
  return recipient.attempts === 0 && own?.['ended_at'] === null ? 'pending' : 'retry_wait';
}

async function cancel(
  tx: Tx,
  { batch, recipient }: Member,
  { moment, callMoment }: { moment: BatchMoment; callMoment: Moment },
): Promise<void> {
  await changeRecipient(tx, recipient, { status: 'cancelled', reason: 'cancelled', updated_at: moment.at });
  const own = await lockCall(tx, recipient.call_id);
  if (own) await moveCall(tx, own, { to: 'cancelled', moment: callMoment, reason: 'cancelled' });
  await progressBatch(tx, batch, { waiting: batch.waiting - 1, cancelled: batch.cancelled + 1 }, moment);
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

function wrongMoment(recipient: RecipientRow): Problem {
  return new Problem('invalid_state', `This is not possible for a call that is ${recipient.status}.`);
}
