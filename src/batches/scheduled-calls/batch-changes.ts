import type { WantedStatus } from '#schedules/record/status-words.js';
import { defineTransactions } from '#store/transaction.js';
import { resumed } from '#batches/changes/batch-store.js';
import { isOver, type BatchStatus } from '#batches/record/batch-machine.js';
import { changeBatch, recipientsWhere, requireBatch, type BatchChanges } from '#batches/record/batch-rows.js';
import type { BatchRow } from '#batches/record/batch.js';
import { refuseOtherPlan, unchangeable, type HandleChange } from './handle-change.js';

/** The transactions of `ScheduledCalls` on whole batches. */
export const batchChangeTransactions = defineTransactions('batch_changes', {
  /**
   * Changes a batch: its name and zone at any time, caller id and time until it is initiated, its status as far as the
   * life cycle allows.
   * @throws Problem `invalid_state` if its status does not allow the change
   */
  async change(
    tx,
    args: { workspace: string; id: string; change: HandleChange; at: number },
  ): Promise<BatchRow> {
    const { change, at } = args;
    const batch = await requireBatch(tx, args, { lock: true });
    const isPlanned = batch.initiated_at === null && !isOver(batch.status);
    if (!isPlanned)
      refuseOtherPlan(change, { at: batch.scheduled_at, from: batch.from_phone }, 'batch', batch.status);
    const changed = await changeBatch(tx, batch, {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.zone !== undefined && {
        timezone: change.zone,
        // Stays null for an instant without a named zone (and in rows of earlier releases): a later local time is then
        // read in `timezone`.
        ...(batch.local_timezone !== null && { local_timezone: change.zone }),
      }),
      ...(isPlanned && newPlan(change, at)),
      updated_at: at,
    });
    return change.status ? changeBatch(tx, changed, statusChange(changed, change.status, at)) : changed;
  },

  /**
   * Marks the batch as deleted, and as cancelled if it is not over. The dispatcher then closes its waiting numbers.
   * Returns the ids of the calls that are queued or live (`live`), which the calling code hangs up, and how many
   * numbers had not ended (`cancelled`).
   */
  async remove(
    tx,
    args: { workspace: string; id: string; at: number },
  ): Promise<{ batch: BatchRow; cancelled: number; live: string[] }> {
    const batch = await requireBatch(tx, args, { lock: true });
    const live = await recipientsWhere(tx, batch.id, `status = 'dialling' order by position`);
    const closed = isOver(batch.status)
      ? {}
      : { status: 'cancelled' as const, pause_reason: null, feed_at: args.at };
    const removed = await changeBatch(tx, batch, {
      ...closed,
      shown_status: null,
      deleted_at: args.at,
      updated_at: args.at,
    });
    await tx.run('update batch_recipients set deleted_at = ? where batch_id = ?', args.at, batch.id);
    return {
      batch: removed,
      cancelled: batch.waiting + batch.in_flight,
      live: live.map((recipient) => recipient.last_call_id),
    };
  },
});

/** The changes of caller id and time. The dispatcher is woken (`feed_at`): it copies them to the calls of the batch. */
function newPlan({ from, time }: HandleChange, at: number): BatchChanges {
  if (from === undefined && !time) return {};
  return {
    ...(from === undefined ? {} : { from_phone: from }),
    ...(time && {
      scheduled_time: time.written,
      scheduled_at: time.at,
      local_timezone: time.readIn ?? null,
    }),
    feed_at: at,
  };
}

type StatusChange = NonNullable<HandleChange['status']>;

/** Resumes a paused batch. For any other batch only the word is stored. */
function arm(batch: BatchRow, { word }: StatusChange, at: number): BatchChanges {
  const changes = batch.status === 'paused' ? resumed(batch, at) : {};
  const status = changes.status ?? batch.status;
  // A batch that has begun is not shown as `scheduled` or `pending`.
  const isMeant = status === 'scheduled' || word === 'active';
  return { ...changes, shown_status: isMeant ? word : null };
}

/** Pauses a batch; a pause before keeps its reason. */
function hold({ pause_reason: reason }: BatchRow, { word }: StatusChange, at: number): BatchChanges {
  return {
    shown_status: word,
    status: 'paused',
    pause_reason: reason ?? 'paused by request',
    feed_at: at,
  };
}

/** Cancels a batch. */
function close(_batch: BatchRow, { word }: StatusChange, at: number): BatchChanges {
  return { shown_status: word, status: 'cancelled', pause_reason: null, feed_at: at };
}

/** The changes of a batch that is not over, by the wanted status. */
const CHANGES = { scheduled: arm, paused: hold, cancelled: close, completed: close };

/** The statuses of a finished batch that fulfil a wanted status already: then only the client's word is stored. */
const FULFILLED: Partial<Record<WantedStatus, readonly BatchStatus[]>> = {
  cancelled: ['cancelled'],
  completed: ['completed', 'cancelled'],
};

/** @throws Problem `invalid_state` if the status of the batch does not allow the wanted status */
function statusChange(batch: BatchRow, request: StatusChange, at: number): BatchChanges {
  const { word, wanted } = request;
  if (!isOver(batch.status)) return CHANGES[wanted](batch, request, at);
  if (!FULFILLED[wanted]?.includes(batch.status)) throw unchangeable('status', 'batch', batch.status);
  return { shown_status: word };
}
