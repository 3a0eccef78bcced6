import { dialTimeColumns } from '#calls/requests/draft-call.js';
import { storeSuppressedRefusals } from '#policy/decisions/ask-policy.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions, type SqlRow, type Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { isOver } from '#batches/record/batch-machine.js';
import { changeBatch, lockBatch } from '#batches/record/batch-rows.js';
import type { BatchRow } from '#batches/record/batch.js';
import type { Store } from '#store/store.js';

/** How many calls one transaction syncs. */
const CALLS_PER_SYNC = 500;

/**
 * SQL: conditions on recipients without a value of their own, whose call differs from the batch in caller id or time.
 * The placeholders stand for the values of the batch.
 */
const HAS_OTHER_CALLER_ID = 'batch_recipients.from_phone is null and calls.from_phone <> ?';
const HAS_OTHER_TIME = `batch_recipients.scheduled_time is null
  and (calls.scheduled_at is null or calls.scheduled_at <> ? or coalesce(calls.scheduled_time, '') <> ?)`;

/** The transaction of {@link syncCalls}, which the dispatcher runs, too. */
export const syncTransactions = defineTransactions('batch_mirrors', {
  /**
   * Copies caller id and time of a batch to some of its queued calls. Recipients with values of their own keep them.
   * After a new time, the policy's refusals of suppressed numbers are stored. True if more calls may be out of sync.
   */
  async sync(tx, args: { batchId: string; at: number; rules: PolicyRules }): Promise<boolean> {
    const batch = await lockBatch(tx, args.batchId);
    if (!batch || !isOpen(batch)) return false;
    const rows = await outOfSync(tx, batch, CALLS_PER_SYNC);
    if (rows.length === 0) return false;
    const { at } = args;
    const callIds = rows.map((row) => String(row['call_id']));
    // SQL, which continues with conditions on the recipient. A call that was dialled since is no longer `queued`, and
    // keeps the values that it was dialled with.
    const queuedCallsWhere = `status = 'queued' and id in (select call_id from batch_recipients where batch_id = ? and`;
    const { scheduled_at: scheduledAt, estimated_start_at: estimatedAt } = dialTimeColumns(
      batch.scheduled_at,
    );
    await tx.run(
      `update calls set from_phone = ?, updated_at = ?
       where ${queuedCallsWhere} from_phone is null and call_id in (${placeholders(callIds)}))`,
      batch.from_phone,
      at,
      batch.id,
      ...callIds,
    );
    await tx.run(
      `update calls set scheduled_time = ?, scheduled_at = ?, estimated_start_at = ?, updated_at = ?
       where ${queuedCallsWhere} scheduled_time is null and call_id in (${placeholders(callIds)}))`,
      batch.scheduled_time,
      scheduledAt,
      estimatedAt,
      at,
      batch.id,
      ...callIds,
    );
    await storeRefusalsAtNewTime(tx, batch, rows, args);
    // Wakes the dispatcher.
    await changeBatch(tx, batch, { feed_at: at });
    return true;
  },
});

/**
 * True if some calls are out of sync with their batch: the process that changed the batch may have crashed before the
 * sync.
 */
export async function isOutOfSync(tx: Tx, batch: BatchRow, now: number): Promise<boolean> {
  return mayHaveChanged(batch, now) && (await outOfSync(tx, batch, 1)).length > 0;
}

/**
 * True if caller id or time may have changed since the last sync: clients can change them until the batch is initiated.
 * A batch that was initiated early, by recipients with earlier times of their own, can still be moved by new time-zone
 * data.
 */
function mayHaveChanged(batch: BatchRow, now: number): boolean {
  const { initiated_at: initiatedAt, scheduled_at: at } = batch;
  return (initiatedAt === null || now < at) && isOpen(batch);
}

/** True for a batch that is loaded and not over. */
function isOpen({ status }: BatchRow): boolean {
  return status !== 'loading' && !isOver(status);
}

/** Queued calls that differ from their batch in caller id or time, in the order of the recipients. */
async function outOfSync(tx: Tx, batch: BatchRow, limit: number): Promise<SqlRow[]> {
  return tx.all(
    `select batch_recipients.call_id, phone_number, calls.scheduled_at, batch_recipients.scheduled_time as own_time
     from batch_recipients join calls on calls.id = batch_recipients.call_id
     where batch_recipients.batch_id = ? and calls.status = 'queued' and ((${HAS_OTHER_CALLER_ID}) or (${HAS_OTHER_TIME}))
     order by position limit ?`,
    batch.id,
    batch.from_phone,
    batch.scheduled_at,
    batch.scheduled_time ?? '',
    limit,
  );
}

/** Stores the refusals of suppressed numbers among the calls that get a new time. */
async function storeRefusalsAtNewTime(
  tx: Tx,
  { workspace, scheduled_at: scheduledAt }: BatchRow,
  rows: readonly SqlRow[],
  { at: now, rules }: { at: number; rules: PolicyRules },
): Promise<void> {
  const calls = rows
    .filter((row) => row['own_time'] === null && row['scheduled_at'] !== scheduledAt)
    .map((row) => ({ phoneNumber: String(row['phone_number']), callId: String(row['call_id']) }));
  await storeSuppressedRefusals(tx, { workspace, now, dialAt: Math.max(now, scheduledAt), rules, calls });
}

/** A new caller id or time of one number, or both. */
interface NumberPlan {
  from?: string | undefined;
  /** `at` is the new instant (epoch milliseconds); `written` is absent if the text stays. */
  time?: { written?: string; at: number } | undefined;
}

/** Copies the plan of one number to its first call, if that still waits. `at` is now (epoch milliseconds). */
export async function syncNumber(
  tx: Tx,
  callId: string,
  { from, time }: NumberPlan,
  at: number,
): Promise<void> {
  await update(tx, 'calls', {
    set: {
      ...(from !== undefined && { from_phone: from }),
      ...(time?.written !== undefined && { scheduled_time: time.written }),
      ...(time && dialTimeColumns(time.at)),
      updated_at: at,
    },
    where: { id: callId, status: 'queued' },
  });
}

/** Copies caller id and time of a batch to all of its queued calls, part by part; see {@link syncTransactions}. */
export async function syncCalls(
  store: Store,
  args: { batchId: string; at: number; rules: PolicyRules },
): Promise<void> {
  let isMore = true;
  while (isMore) isMore = await store.write(syncTransactions.sync, args);
}
