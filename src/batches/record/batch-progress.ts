import { recordEvents } from '#webhooks/deliveries/record-events.js';
import type { EventType } from '#events/event-types.js';
import { toInstantOrNull } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Tx } from '#store/transaction.js';
import { isOver } from './batch-machine.js';
import { batchStatistics } from './batch-statistics.js';
import { changeBatch, type BatchChanges } from './batch-rows.js';
import type { BatchRow } from './batch.js';

// Writes changes of a batch's counters, and their consequences: statuses and events. A transaction that releases or
// finishes numbers of a batch ends with `progressBatch`; a transaction that only returns numbers to waiting need not.

/** The most events of one change: initiated, in progress and ended. */
const EVENT_IDS_PER_CHANGE = 3;

/** The instant and the event ids of a change, from outside the transaction. */
export interface BatchTxContext {
  at: number;
  /** {@link EVENT_IDS_PER_CHANGE} new ids. */
  eventIds: readonly string[];
}

/** Makes the context of a change. */
export function batchTxContext(ids: Ids, at: number): BatchTxContext {
  return { at, eventIds: Array.from({ length: EVENT_IDS_PER_CHANGE }, () => ids.next('evt')) };
}

/**
 * Writes changed counters of a locked batch. Moves the batch to `initiated` and `in_progress` when it begins, and ends
 * it when no number waits or is being called. Announces each of these steps by an event.
 */
export async function progressBatch(
  tx: Tx,
  batch: BatchRow,
  changes: BatchChanges,
  context: BatchTxContext,
): Promise<BatchRow> {
  const { at } = context;
  const eventIds = [...context.eventIds];
  let current = await changeBatch(tx, batch, { ...changes, updated_at: at });
  if (current.status === 'scheduled' && (at >= current.scheduled_at || current.in_flight > 0)) {
    current = await changeBatch(tx, current, { status: 'initiated', initiated_at: at });
    await announce(tx, current, 'batch.initiated', { at, id: eventIds.shift() });
  }
  if (current.status === 'initiated' && current.in_flight > 0) {
    current = await changeBatch(tx, current, { status: 'in_progress', started_at: at });
    await announce(tx, current, 'batch.in_progress', { at, id: eventIds.shift() });
  }
  if (current.waiting > 0 || current.in_flight > 0 || current.ended_at !== null) return current;
  return conclude(tx, current, { at, id: eventIds.shift() });
}

/**
 * Ends a batch of which no number waits or is being called, and announces its end. A cancelled or aborted batch keeps
 * its status. There is no event `batch.cancelled`: a cancelled batch is announced as completed or failed, by its calls.
 */
async function conclude(
  tx: Tx,
  batch: BatchRow,
  announcement: { at: number; id: string | undefined },
): Promise<BatchRow> {
  // A batch whose numbers were all skipped has done what was asked.
  const hasSuccess = batch.succeeded > 0 || batch.skipped === batch.total_numbers;
  const isSuccess = hasSuccess && batch.error === null;
  const status = isOver(batch.status) ? batch.status : isSuccess ? 'completed' : 'failed';
  const ended = await changeBatch(tx, batch, {
    status,
    pause_reason: null,
    feed_at: null,
    ended_at: announcement.at,
  });
  await announce(tx, ended, isSuccess ? 'batch.completed' : 'batch.failed', announcement);
  return ended;
}

/** Writes an event of the batch for webhooks. */
async function announce(
  tx: Tx,
  batch: BatchRow,
  type: EventType,
  { at, id }: { at: number; id: string | undefined },
): Promise<void> {
  if (id === undefined) throw new Error('a change of a batch was given too few event ids');
  const data = batchEventData(batch);
  await recordEvents(tx, [{ id, workspace: batch.workspace, type, subjectId: batch.id, at, data }]);
}

/** The `data` of a batch event (docs/webhooks.md). */
function batchEventData(batch: BatchRow): Record<string, unknown> {
  const statistics = batchStatistics(batch);
  const { total_numbers, successfully_called, failed_calls, avg_duration_seconds } = statistics;
  const { success_rate, cost_usd, cost_is_complete } = statistics;
  return {
    id: batch.id,
    batch_name: batch.name,
    agent_id: batch.agent_id,
    agent_name: batch.agent_name,
    status: batch.status,
    total_numbers,
    successfully_called,
    failed_calls,
    avg_duration_seconds,
    start_time: toInstantOrNull(batch.started_at ?? batch.initiated_at),
    end_time: toInstantOrNull(batch.ended_at),
    success_rate,
    cost_usd,
    cost_is_complete,
    custom_metadata: batch.metadata,
    batch_id: batch.id,
  };
}
