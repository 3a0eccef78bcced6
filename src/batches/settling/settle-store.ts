import { durationSeconds, type CallRow } from '#calls/record/call.js';
import { lockRepaired, repairCall } from '#calls/endings/repaired-call.js';
import { storeCarrierPrice } from '#calls/costs/cost-store.js';
import { SETTLEMENT, settleEnd } from '#calls/end-delivery/settlement.js';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { isOver, isWaiting, type RecipientStatus } from '#batches/record/batch-machine.js';
import { progressBatch, type BatchTxContext } from '#batches/record/batch-progress.js';
import {
  changeRecipient,
  lockBatch,
  recounted,
  requireBatch,
  type BatchChanges,
} from '#batches/record/batch-rows.js';
import { readRecipient, type BatchRow, type RecipientRow } from '#batches/record/batch.js';
import { BATCHES_STOPPED, type STOPPED_STATUSES } from '#batches/record/batch-statistics.js';
import { undialledDueAt, queuedAt, recallNumber } from '#batches/dispatch/call-number.js';
import { recordEnd, type Verdict } from './circuit-breaker.js';
import { nextAttempt } from '#schedules/record/retry.js';

// Settles the ends of batch calls: the result of the number (recipient), the counters of the batch, and the
// consequences (a retry, a pause, the end of the batch).

/** The result of an attempt: the next status of its number. */
interface Outcome {
  status: Extract<
    RecipientStatus,
    'succeeded' | 'failed' | 'skipped' | 'cancelled' | 'expired' | 'retry_wait'
  >;
  /** Time of the next attempt, for `retry_wait`. */
  dueAt?: number;
}

/** The transactions of `batch-ends.ts`, and the transaction that stores carriers' prices. */
export const settleTransactions = defineTransactions('batch_ends', {
  /**
   * Settles the end of a call with its batch, once: the number's result, the counters and the consequences. A deferred
   * call is recalled.
   */
  async settle(tx, args: { callId: string; context: BatchTxContext }): Promise<void> {
    await settleBatchCall(tx, args);
  },

  /**
   * Stores the price that a carrier charges for a call, perhaps long after its end. A batch that has counted the call
   * corrects its sum, and pauses if its budget is reached.
   */
  async priced(tx, args: { callId: string; usd: number; context: BatchTxContext }): Promise<void> {
    const owner = await tx.get('select batch_id from calls where id = ?', args.callId);
    const batchId = owner?.['batch_id'];
    const batch = typeof batchId === 'string' ? await lockBatch(tx, batchId) : null;
    const change = await storeCarrierPrice(tx, args);
    if (batch && change && (await isCounted(tx, args.callId)))
      await countPrice(tx, batch, change, args.context);
  },

  /**
   * Finished calls of a batch that are not settled yet.
   * @throws Problem `batch_not_found`
   */
  async unsettled(tx, args: { workspace: string; id: string }): Promise<string[]> {
    const batch = await requireBatch(tx, args);
    const rows = await tx.all(
      `select id from calls where unsettled = ${SETTLEMENT.unsettled} and batch_id = ? and ended_at is not null
       order by ended_at, id`,
      batch.id,
    );
    return rows.map((row) => String(row['id']));
  },
});

/**
 * Settles a call, as the transaction `settle` does. False if nothing was to be settled: the call was settled before,
 * has no batch, or is no longer the last call of its number.
 */
export async function settleBatchCall(
  tx: Tx,
  { callId, context }: { callId: string; context: BatchTxContext },
): Promise<boolean> {
  const owner = await tx.get('select batch_id from calls where id = ?', callId);
  const batchId = owner?.['batch_id'];
  const batch = typeof batchId === 'string' ? await lockBatch(tx, batchId) : null;
  if (!(await settleEnd(tx, callId)) || !batch) return false;
  const lockedCall = await lockRepaired(tx, callId);
  if (!lockedCall) return false;
  const call = repairCall(tx, lockedCall);
  const recipient = await calledRecipient(tx, batch.id, callId);
  if (!recipient) return false;
  const end = { batch, recipient, call, context };
  if (call.ended_at === null) await recallDeferred(tx, end);
  else await applyEnd(tx, end);
  return true;
}

/**
 * The number whose last call this is. Unreadable columns of its row are replaced by defaults: the call was made, and
 * its end must be counted.
 */
async function calledRecipient(tx: Tx, batchId: string, callId: string): Promise<RecipientRow | null> {
  const row = await tx.get(
    'select * from batch_recipients where batch_id = ? and last_call_id = ?',
    batchId,
    callId,
  );
  if (!row) return null;
  const { value: recipient, repair } = readRecipient(row, 'dialling');
  if (repair) await changeRecipient(tx, recipient, repair);
  return recipient;
}

/** Recalls a call that the policy has deferred: its number waits in the batch, and another number can be called. */
async function recallDeferred(tx: Tx, { batch, recipient, call, context }: End): Promise<void> {
  const dueAt = await undialledDueAt(tx, call.id);
  if (dueAt === null || recipient.status !== 'dialling') return;
  const recalled = await recallNumber(tx, recipient, context.at);
  if (!recalled) return;
  await changeRecipient(tx, recalled, { due_at: dueAt });
  const counts = recounted(batch, recipient.status, recalled.status);
  const feedAt = batch.status === 'paused' ? batch.feed_at : context.at;
  await progressBatch(tx, batch, { ...counts, feed_at: feedAt }, context);
}

/** The end of a call, with the rows that it changes. */
interface End {
  batch: BatchRow;
  recipient: RecipientRow;
  call: CallRow;
  context: BatchTxContext;
}

/** Applies the end of a call. */
async function applyEnd(tx: Tx, end: End): Promise<void> {
  const { batch, recipient, call, context } = end;
  const { at } = context;
  const reason = call.ended_reason ?? 'cancelled';
  if (recipient.status !== 'dialling') return applyEndOfWaiting(tx, end);
  const outcome = (await requeueOutcome(tx, end)) ?? outcomeOf(batch, recipient, call, reason);
  await changeRecipient(tx, recipient, {
    status: outcome.status,
    shown_status: null,
    reason: outcome.status === 'succeeded' ? null : reason,
    duration_seconds: durationSeconds(call, at),
    ...(outcome.dueAt === undefined ? {} : { due_at: outcome.dueAt }),
    updated_at: at,
  });
  const { state, verdict } = recordEnd(batch, { at: call.ended_at ?? at, reason });
  const counts: BatchChanges = {
    ...recounted(batch, recipient.status, outcome.status),
    talk_seconds: batch.talk_seconds + (outcome.status === 'succeeded' ? durationSeconds(call, at) : 0),
    cost_usd: batch.cost_usd + call.cost_usd,
    unknown_costs: batch.unknown_costs + (isCostKnown(call) ? 0 : 1),
    ...state,
    // The batch may make another call: the dispatcher considers it at once.
    feed_at: isOver(batch.status) || batch.status === 'paused' ? batch.feed_at : at,
  };
  const stop = breakerStop(batch, verdict) ?? budgetStop(batch, counts);
  const moved = await progressBatch(tx, batch, { ...counts, ...(stop && { ...stop, feed_at: at }) }, context);
  // A batch that ended with this call was not stopped.
  if (stop && moved.status === stop.status)
    tx.count({ name: BATCHES_STOPPED, labels: { status: stop.status } });
}

/** True if a call is part of the sums of its batch. */
async function isCounted(tx: Tx, callId: string): Promise<boolean> {
  const row = await tx.get(
    `select 1 as counted from calls where id = ? and ended_at is not null and unsettled = ${SETTLEMENT.settled}`,
    callId,
  );
  return row !== undefined;
}

/** Corrects the cost of a batch by a price that became known; may pause the batch. */
async function countPrice(
  tx: Tx,
  batch: BatchRow,
  { before, after }: { before: CallRow; after: CallRow },
  context: BatchTxContext,
): Promise<void> {
  const becameKnown = !isCostKnown(before) && isCostKnown(after);
  const counts: BatchChanges = {
    cost_usd: batch.cost_usd + after.cost_usd - before.cost_usd,
    unknown_costs: batch.unknown_costs - (becameKnown ? 1 : 0),
  };
  const stop = budgetStop(batch, counts);
  await progressBatch(tx, batch, { ...counts, ...(stop && { ...stop, feed_at: context.at }) }, context);
  if (stop) tx.count({ name: BATCHES_STOPPED, labels: { status: stop.status } });
}

/** True if the cost of a call is complete. An unanswered call has none. */
function isCostKnown(call: CallRow): boolean {
  return call.answered_at === null || call.cost?.is_complete === true;
}

/**
 * The changes that pause a running batch whose budget this cost reaches; null otherwise, or if it was reached before.
 */
function budgetStop(batch: BatchRow, { cost_usd: costUsd = 0 }: BatchChanges) {
  const { budget_usd: budgetUsd, status } = batch;
  const isReached = budgetUsd !== null && batch.cost_usd < budgetUsd && costUsd >= budgetUsd;
  if (!isReached || status !== 'in_progress') return null;
  const reason = `budget_usd of ${budgetUsd} reached: the calls cost ${Math.round(costUsd * 100) / 100} so far`;
  return { status: 'paused' as const, pause_reason: reason };
}

/** The changes that the breaker's verdict causes; null to continue, or if they would change nothing. */
function breakerStop(
  batch: BatchRow,
  verdict: Verdict,
): (BatchChanges & { status: (typeof STOPPED_STATUSES)[number] }) | null {
  if (verdict?.kind === 'abort' && !isOver(batch.status))
    return { status: 'failed', error: verdict.reason, pause_reason: null };
  if (verdict?.kind === 'pause' && batch.status === 'in_progress')
    return { status: 'paused', pause_reason: verdict.reason };
  return null;
}

/** Applies the end of a call whose number still waited, as of a cancelled call: the number is not called any more. */
async function applyEndOfWaiting(tx: Tx, { batch, recipient, call, context }: End): Promise<void> {
  const { status } = recipient;
  // A number that has its result keeps it.
  if (!isWaiting(status)) return;
  const reason = call.ended_reason ?? 'cancelled';
  // A number refused by the policy was skipped, not cancelled by the client. (A paused number cannot become `skipped`.)
  const outcome = ENDED_REASONS[reason].fault === 'policy' && status !== 'paused' ? 'skipped' : 'cancelled';
  await changeRecipient(tx, recipient, { status: outcome, reason, updated_at: context.at });
  await progressBatch(
    tx,
    batch,
    { ...recounted(batch, status, outcome), feed_at: nextDispatchAt(batch, context.at) },
    context,
  );
}

/**
 * When the dispatcher considers the batch next: at its planned instant, or at once if that is past. The instant of a
 * paused batch stays.
 */
function nextDispatchAt(batch: BatchRow, at: number): number | null {
  return batch.status === 'paused' ? batch.feed_at : Math.max(at, batch.feed_at ?? at);
}

/** Status words by which a client cancels a number. */
const CANCEL_WORDS: readonly (string | null)[] = ['cancelled', 'canceled'];

/** How long after its due time an attempt may begin that had to wait for the end of the attempt before. */
const FOLLOWS_WITHIN_MS = 3_600_000;

/**
 * The requeue of a number for which an earlier release accepted a new time during the call; null without one, or if it
 * has passed for too long. The time for which this call was made is no new time, even if it lies in the future because
 * the clock was set back.
 */
async function requeueOutcome(tx: Tx, { batch, recipient, call }: End): Promise<Outcome | null> {
  const { due_at: dueAt } = recipient;
  if (endOf(call) > dueAt + FOLLOWS_WITHIN_MS || isCancelled(batch, recipient)) return null;
  const calledFor = (await queuedAt(tx, call.id)) ?? endOf(call);
  return dueAt <= calledFor ? null : { status: 'retry_wait', dueAt };
}

/** When a call ended (epoch milliseconds); the last change of its row if that is not known. */
function endOf(call: CallRow): number {
  return call.ended_at ?? call.updated_at;
}

/** True if the number must not be called again: its batch is over, or a client has deleted or cancelled it. */
function isCancelled(batch: BatchRow, recipient: RecipientRow): boolean {
  return (
    isOver(batch.status) || recipient.deleted_at !== null || CANCEL_WORDS.includes(recipient.shown_status)
  );
}

/** The result of an attempt: the number's next status, and the time of a retry. */
function outcomeOf(batch: BatchRow, recipient: RecipientRow, call: CallRow, reason: EndedReason): Outcome {
  const endedAt = endOf(call);
  // Voicemail does not reach the person.
  if (call.status === 'completed' && reason !== 'voicemail') return { status: 'succeeded' };
  if (call.status === 'cancelled') return { status: 'cancelled' };
  if (ENDED_REASONS[reason].fault === 'policy') return { status: 'skipped' };
  const next = isCancelled(batch, recipient)
    ? null
    : nextAttempt(batch.retry_policy, { attempts: recipient.attempts, endedReason: reason, endedAt });
  if (next !== null) return { status: 'retry_wait', dueAt: next.at };
  return { status: reason === 'expired' ? 'expired' : 'failed' };
}
