import type { SqlRow, Tx } from '#store/transaction.js';
import type { PacingInput } from './pacing.js';

/**
 * How many due calls at the head of the queue are examined: the calls that fifty batches release in one step each
 * (`NUMBERS_PER_STEP`).
 */
const EXAMINED_CALLS = 500;

/** The calls of one batch that have the same position in the queue. */
interface Queued {
  batchId: string;
  /** The position (epoch milliseconds): the dialler takes earlier instants first. */
  dueAt: number;
  /** How many calls. */
  calls: number;
}

/** Queue position of a batch: its share of the dialler's queue, and where its next calls go. */
export interface QueuePosition extends Pick<PacingInput, 'queued' | 'batchesQueued'> {
  /**
   * The instant at which the batch's next calls enter the queue, so that batches take turns. If A has 30 calls queued
   * and B none, the first calls of B are placed level with the first of A, not behind all 30. In general, if this batch
   * has n calls queued, its next calls are placed level with the call number n + 1 of the other batch whose call with
   * that number is earliest; at the latest now, and never before the last of the own n calls.
   */
  dueAt: number;
}

/** Computes the queue position of a batch, for the dispatcher; `now` in epoch milliseconds. */
export async function queuePosition(tx: Tx, batchId: string, now: number): Promise<QueuePosition> {
  const rows = await tx.all(
    `select batch_id, due_at, count(*) as calls from (
       select call_id, due_at from dial_attempts where status = 'pending' and lane = 'batch' and due_at <= ?
       order by due_at, id limit ${EXAMINED_CALLS}) as due
     join calls on calls.id = due.call_id group by batch_id, due_at order by due_at`,
    now,
  );
  const queues = queuesOf(rows.map(toQueued));
  const queueOfBatch = queues.get(batchId) ?? [];
  queues.delete(batchId);
  const queued = queueOfBatch.reduce((sum, { calls }) => sum + calls, 0);
  // For each other batch, the position of its call that has as many calls before it as this batch has queued.
  const alignedDueAts = [...queues.values()].map((other) => dueAtAfter(other, queued) ?? now);
  return {
    queued,
    batchesQueued: queues.size + 1,
    dueAt: Math.max(queueOfBatch.at(-1)?.dueAt ?? 0, Math.min(now, ...alignedDueAts)),
  };
}

function toQueued(row: SqlRow): Queued {
  return { batchId: String(row['batch_id']), dueAt: Number(row['due_at']), calls: Number(row['calls']) };
}

/** The queued calls of each batch, in the order of the queue. */
function queuesOf(queued: readonly Queued[]): Map<string, Queued[]> {
  const queues = new Map<string, Queued[]>();
  for (const calls of queued) {
    const queue = queues.get(calls.batchId);
    if (queue) queue.push(calls);
    else queues.set(calls.batchId, [calls]);
  }
  return queues;
}

/** The position of the call of a batch before which `calls` calls of this batch are queued; null without that call. */
function dueAtAfter(queue: readonly Queued[], calls: number): number | null {
  let left = calls;
  for (const group of queue) {
    if (left < group.calls) return group.dueAt;
    left -= group.calls;
  }
  return null;
}
