import { defineTransactions } from '#store/transaction.js';
import { isOver } from '#batches/record/batch-machine.js';
import { changeBatch, recipientsWhere, requireBatch } from '#batches/record/batch-rows.js';
import { batchStatusChange, wrongMoment } from './batch-status-change.js';
import type { BatchRow } from '#batches/record/batch.js';
import type { HandleChange } from '#batches/scheduled-calls/handles/handle-change.js';

export const batchChangeTransactions = defineTransactions('batch_changes', {
  /**
   * Changes a batch: its name at any time, caller id and time until it is initiated.
   * @throws Problem `invalid_state` if its status does not allow it
   */
  async change(
    tx,
    args: { workspace: string; id: string; change: HandleChange; at: number },
  ): Promise<BatchRow> {
    const { change, at } = args;
    let batch = await requireBatch(tx, args, true);
    if ((change.from !== undefined || change.time) && (batch.initiated_at !== null || isOver(batch.status)))
      throw wrongMoment(batch);
    batch = await changeBatch(tx, batch, {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.from === undefined ? {} : { from_phone: change.from }),
      ...(change.zone !== undefined && {
        timezone: change.zone,
        // Also for an instant with a named zone: later local times are read in it.
        ...(batch.local_timezone !== null && { local_timezone: change.zone }),
      }),
      ...(change.time && {
        scheduled_time: change.time.written,
        scheduled_at: change.time.at,
        local_timezone: change.time.readIn ?? null,
      }),
      // Wakes the dispatcher: numbers with times of their own may be due, and the calls must be synced.
      ...((change.from !== undefined || change.time) && { feed_at: at }),
      updated_at: at,
    });
    if (change.status) batch = await changeBatch(tx, batch, batchStatusChange(batch, change.status, at));
    return batch;
  },

  /** Deletes the batch and cancels its waiting calls; the caller hangs up the live ones. */
  async remove(
    tx,
    args: { workspace: string; id: string; at: number },
  ): Promise<{ batch: BatchRow; cancelled: number; live: string[] }> {
    const batch = await requireBatch(tx, args, true);
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
