import { moveCall, type TxContext } from '#calls/record/call-progress.js';
import { lockRepaired, repairCall } from '#calls/endings/repaired-call.js';
import { lockNumbers } from '#policy/decisions/ask-policy.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { LIMIT } from '#store/statements/limit.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { isOver } from '#batches/record/batch-machine.js';
import { progressBatch, type BatchTxContext } from '#batches/record/batch-progress.js';
import {
  changeBatch,
  changeRecipient,
  lockBatch,
  recipientsWhere,
  recounted,
} from '#batches/record/batch-rows.js';
import { BatchRow, type RecipientRow } from '#batches/record/batch.js';
import {
  callNumber,
  cancelWaitingCall,
  recallNumber,
  withdraw,
  type ReleaseResult,
  type PickedNumber,
} from './call-number.js';
import { isOutOfSync } from './sync-calls.js';
import { nextStep, QUEUE_PAUSE_MS, type PacingStep } from './pacing.js';
import { queuePosition } from './queue-position.js';
import {
  dueNumbers,
  earliestDue,
  IS_OPEN,
  numbersAt,
  openNumbers,
  queuedNumbers,
  type WaitingNumber,
} from './waiting-numbers.js';

/** The next step of the dispatcher for a batch. */
export interface DispatchPlan {
  /**
   * `clear` deletes a batch whose request was abandoned, `sync` copies changes of the batch to its calls, `recall`
   * takes the calls of a paused or finished batch out of the queue, `sweep` closes the waiting numbers of a finished
   * batch, `release` releases due numbers to the dialler, or plans when the next are due.
   */
  todo: 'clear' | 'sync' | 'recall' | 'sweep' | 'release' | 'nothing';
  /** The numbers to release, recall or close. */
  numbers: WaitingNumber[];
}

/** A number to close, with the context of its call's end. */
export interface Closing {
  position: number;
  context: TxContext;
}

/** The transactions of `BatchDispatcher`. The column `feed_at` of a batch is when its next step is due. */
export const dispatchTransactions = defineTransactions('feeds', {
  /** Claims due batches: until `leaseUntil` no process claims them again. */
  async claim(tx, args: { now: number; leaseUntil: number; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `update batches set feed_at = ? where id in (
         select id from batches where feed_at is not null and feed_at <= ?
         order by feed_at, id ${LIMIT}${tx.dialect.skipLocked}
       ) returning id`,
      args.leaseUntil,
      args.now,
      args.limit,
    );
    return rows.map((row) => String(row['id'])).sort();
  },

  /** When the next step of any batch is due (epoch milliseconds); null if none is. */
  async nextDispatchAt(tx): Promise<number | null> {
    const row = await tx.get('select min(feed_at) as feed_at from batches where feed_at is not null');
    return typeof row?.['feed_at'] === 'number' ? row['feed_at'] : null;
  },

  /** Decides the next step for a batch. */
  async planStep(tx, args: { batchId: string; now: number }): Promise<DispatchPlan> {
    const row = await tx.get('select * from batches where id = ?', args.batchId);
    if (!row) return { todo: 'nothing', numbers: [] };
    const batch = BatchRow.parse(row);
    if (batch.status === 'loading') return { todo: 'clear', numbers: [] };
    if (await isOutOfSync(tx, batch, args.now)) return { todo: 'sync', numbers: [] };
    if (isStopped(batch)) {
      const numbers = batch.in_flight > 0 ? await queuedNumbers(tx, batch.id) : [];
      // Without numbers, the recall of a paused batch ends its dispatching until it is resumed.
      if (numbers.length > 0 || !isOver(batch.status)) return { todo: 'recall', numbers };
    }
    if (isOver(batch.status)) {
      const numbers = await openNumbers(tx, batch.id);
      return { todo: numbers.length > 0 ? 'sweep' : 'nothing', numbers };
    }
    const { release: room } = await stepOf(tx, batch, args.now);
    return { todo: 'release', numbers: await dueNumbers(tx, batch, args.now, room) };
  },

  /** Releases due numbers to the dialler. Returns how many were released. */
  async release(
    tx,
    args: { batchId: string; picks: readonly PickedNumber[]; rules: PolicyRules; context: BatchTxContext },
  ): Promise<number> {
    const { at } = args.context;
    const batch = await lockBatch(tx, args.batchId);
    if (!batch || isStopped(batch) || batch.status === 'loading') return 0;
    const { release: room, dueAt } = await stepOf(tx, batch, at);
    const picks = args.picks.slice(0, room);
    const positions = picks.map(({ position }) => position);
    const policyScope = { workspace: batch.workspace, rules: args.rules };
    // The policy decides about all these numbers, so all are locked first.
    await lockNumbers(tx, policyScope, () => numbersAt(tx, batch.id, positions));
    const results: ReleaseResult[] = [];
    for (const pick of picks)
      results.push(await callNumber(tx, batch, pick, { at, dueAt, rules: args.rules }));
    const released = results.filter((result) => result === 'released').length;
    const skipped = results.filter((result) => result === 'skipped').length;
    const progressed = await progressBatch(
      tx,
      batch,
      {
        waiting: batch.waiting - released - skipped,
        in_flight: batch.in_flight + released,
        skipped: batch.skipped + skipped,
      },
      args.context,
    );
    if (progressed.ended_at !== null) return released;
    const isStuck = results.length > 0 && results.every((result) => result === 'not_now');
    // Another transaction is about to change these numbers. Without a pause the dispatcher would find them again at
    // once.
    if (isStuck) await changeBatch(tx, progressed, { feed_at: at + QUEUE_PAUSE_MS });
    else await planDispatch(tx, progressed, at);
    return released;
  },

  /** Takes numbers of a paused or finished batch out of the dialler's queue. */
  async recall(tx, args: { batchId: string; positions: readonly number[]; at: number }): Promise<void> {
    const { at, positions } = args;
    const batch = await lockBatch(tx, args.batchId);
    if (!batch || !isStopped(batch)) return;
    let recalled = 0;
    for (const position of positions) {
      const where = `position = ? and status = 'dialling'`;
      const [recipient] = await recipientsWhere(tx, batch.id, where, position);
      if (recipient && (await recallNumber(tx, recipient, at))) recalled += 1;
    }
    // The others are about to be dialled, or unreadable: they are tried again after a pause. A paused batch without
    // queued calls needs no next step until it is resumed.
    const nextStepAt = at + (recalled < positions.length ? QUEUE_PAUSE_MS : 0);
    await changeBatch(tx, batch, {
      waiting: batch.waiting + recalled,
      in_flight: batch.in_flight - recalled,
      feed_at: positions.length === 0 && !isOver(batch.status) ? null : nextStepAt,
      updated_at: at,
    });
  },

  /** Closes waiting numbers of a cancelled or aborted batch. The batch is considered again while numbers are left. */
  async sweep(
    tx,
    args: { batchId: string; closings: readonly Closing[]; context: BatchTxContext },
  ): Promise<void> {
    const { at } = args.context;
    const batch = await lockBatch(tx, args.batchId);
    if (!batch || !isOver(batch.status)) return;
    let closed = 0;
    for (const { position, context } of args.closings) {
      const [recipient] = await recipientsWhere(tx, batch.id, `position = ? and ${IS_OPEN}`, position);
      if (!recipient) continue;
      await close(tx, batch, recipient, context);
      closed += 1;
    }
    const numbersLeft = batch.waiting - closed;
    await progressBatch(
      tx,
      batch,
      { waiting: numbersLeft, cancelled: batch.cancelled + closed, feed_at: numbersLeft > 0 ? at : null },
      args.context,
    );
  },

  /** Gives up a number for which a step fails, as with an unreadable row, so that it does not block the others. */
  async giveUp(
    tx,
    args: { batchId: string; position: number; callId: string; context: BatchTxContext },
  ): Promise<void> {
    const { at } = args.context;
    const batch = await lockBatch(tx, args.batchId);
    if (!batch) return;
    const wasQueued = await withdraw(tx, args.callId, at);
    const status = isOver(batch.status) ? 'cancelled' : 'failed';
    const changed = await tx.run(
      `update batch_recipients set status = ?, shown_status = null, reason = 'damaged', updated_at = ?
       where batch_id = ? and position = ? and ${wasQueued ? `status = 'dialling'` : IS_OPEN}`,
      status,
      at,
      args.batchId,
      args.position,
    );
    if (changed === 0) return;
    const counts = recounted(batch, wasQueued ? 'dialling' : 'pending', status);
    await progressBatch(tx, batch, { ...counts, feed_at: at }, args.context);
  },

  /** Ends the call of a number that was given up, unless the call was answered or is over. */
  async endCall(tx, args: { callId: string; context: TxContext }): Promise<void> {
    const lockedCall = await lockRepaired(tx, args.callId);
    if (lockedCall?.value.status !== 'queued' && lockedCall?.value.status !== 'connecting') return;
    const call = repairCall(tx, lockedCall);
    await moveCall(tx, call, { to: 'failed', context: args.context, reason: 'damaged' });
  },
});

/** True if the batch makes no calls: paused, or over. */
function isStopped({ status }: BatchRow): boolean {
  return status === 'paused' || isOver(status);
}

/**
 * The batch's next step, and the queue position of the calls that it releases. Until the time of the batch, only
 * numbers with a time of their own count: then the batch begins at the first of these times.
 */
async function stepOf(tx: Tx, batch: BatchRow, now: number): Promise<PacingStep & { dueAt: number }> {
  const next = await tx.get(
    `select min(due_at) as due_at from batch_recipients
     where batch_id = ? and status in ('pending', 'retry_wait') and due_at >= ?`,
    batch.id,
    earliestDue(batch, now),
  );
  const firstDueAt = typeof next?.['due_at'] === 'number' ? next['due_at'] : null;
  const beginsAt = Math.min(batch.scheduled_at, firstDueAt ?? batch.scheduled_at);
  const { dueAt, ...position } = await queuePosition(tx, batch.id, now);
  const step = nextStep({
    now,
    scheduledAt: beginsAt,
    window: batch.call_window,
    maxConcurrency: batch.max_concurrency,
    inFlight: batch.in_flight,
    // Until the time of the batch, the step waits for `beginsAt`, even if no number has a time of its own.
    nextDueAt: now < batch.scheduled_at ? beginsAt : firstDueAt,
    ...position,
  });
  return { ...step, dueAt };
}

/** Plans when the dispatcher considers the batch next. */
async function planDispatch(tx: Tx, batch: BatchRow, now: number): Promise<void> {
  const { release: room, until } = await stepOf(tx, batch, now);
  await changeBatch(tx, batch, { feed_at: room > 0 ? now : until });
}

/** Closes a number of a finished batch, with its waiting call. */
async function close(tx: Tx, batch: BatchRow, recipient: RecipientRow, context: TxContext): Promise<void> {
  const reason = batch.status === 'failed' ? 'batch_aborted' : 'cancelled';
  await changeRecipient(tx, recipient, { status: 'cancelled', reason, updated_at: context.at });
  await cancelWaitingCall(tx, recipient, context);
}
