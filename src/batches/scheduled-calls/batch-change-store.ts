import { plannedFor } from '../../calls/requests/draft-call.js';
import { keepSuppressed } from '../../policy/ask-policy.js';
import type { PolicyRules } from '../../policy/policy-rules.js';
import { defineUnits, type Tx } from '../../store/unit.js';
import { isOver } from '../record/batch-machine.js';
import { changeBatch, recipientsWhere, requireBatch } from '../record/batch-rows.js';
import { batchStatusChange, wrongMoment } from './batch-status-change.js';
import { BatchRow } from '../record/batch.js';
import type { HandleChange } from './handle-change.js';

/** Calls that are brought in line with their batch in one transaction. */
const CALLS_PER_MIRRORING = 500;

export const batchChangeUnits = defineUnits('batch_changes', {
  /**
   * Changes a whole batch. Its name can be changed at any time, caller id and time until it is initiated.
   * @throws Problem `invalid_state` where the moment is wrong for what is wanted
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
      ...(change.time && {
        scheduled_time: change.time.written,
        scheduled_at: change.time.at,
        ...(change.time.zone !== undefined && { timezone: change.time.zone }),
        feed_at: batch.status === 'paused' ? null : change.time.at,
      }),
      updated_at: at,
    });
    if (change.status) batch = await changeBatch(tx, batch, batchStatusChange(batch, change.status, at));
    return batch;
  },

  /**
   * Lets some queued calls tell the same as their batch. After a new time it is on record which of them will not be
   * made then because of the suppression list. Returns the position from which to go on, or null.
   */
  async mirror(
    tx,
    args: { batchId: string; fromPosition: number; isRetimed: boolean; at: number; rules: PolicyRules },
  ): Promise<number | null> {
    const row = await tx.get('select * from batches where id = ?', args.batchId);
    if (!row) return null;
    const batch = BatchRow.parse(row);
    const until = args.fromPosition + CALLS_PER_MIRRORING;
    const planned = plannedFor(batch.scheduled_at);
    // Who has a caller id or a time of his own keeps it.
    const without = (own: string) =>
      `status = 'queued' and id in (select call_id from batch_recipients
         where batch_id = ? and position >= ? and position < ? and ${own} is null)`;
    const which = [args.batchId, args.fromPosition, until];
    await tx.run(
      `update calls set from_phone = ?, updated_at = ? where ${without('from_phone')}`,
      batch.from_phone,
      args.at,
      ...which,
    );
    await tx.run(
      `update calls set scheduled_time = ?, scheduled_at = ?, estimated_start_at = ?, updated_at = ?
       where ${without('scheduled_time')}`,
      batch.scheduled_time,
      planned.scheduled_at,
      planned.estimated_start_at,
      args.at,
      ...which,
    );
    if (args.isRetimed) await keepRefusals(tx, batch, { ...args, until });
    return until < batch.total_numbers ? until : null;
  },

  /**
   * The handle is gone for good. What was open is called off; the calls that are live are for the caller to hang up.
   */
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

async function keepRefusals(
  tx: Tx,
  { id, workspace, scheduled_at: scheduledAt }: BatchRow,
  slice: { fromPosition: number; until: number; at: number; rules: PolicyRules },
): Promise<void> {
  const { fromPosition, until, at: now, rules } = slice;
  const rows = await tx.all(
    `select call_id, phone_number from batch_recipients
     where batch_id = ? and position >= ? and position < ? and scheduled_time is null
       and status in ('pending', 'paused', 'retry_wait')`,
    id,
    fromPosition,
    until,
  );
  const calls = rows.map((row) => ({
    phoneNumber: String(row['phone_number']),
    callId: String(row['call_id']),
  }));
  await keepSuppressed(tx, { workspace, now, dialAt: Math.max(now, scheduledAt), rules, calls });
}
