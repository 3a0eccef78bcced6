import type { SqlRow, Tx } from '#store/transaction.js';
import type { PacingInput } from './pacing.js';

/** How many calls at the head of the queue are examined: one step of fifty batches. */
const EXAMINED_CALLS = 500;

/** Calls of one batch with the same position in the queue (epoch milliseconds). */
interface Queued {
  batchId: string;
  dueAt: number;
  calls: number;
}

/** Queue position of a batch: its share of the dialler's queue, and where its next calls go. */
export interface QueuePosition extends Pick<PacingInput, 'queued' | 'batchesQueued'> {
  /**
   * Queue position of the batch's next calls: level with those calls of other batches that have as many calls of their
   * batch before them. If A has 30 calls queued and B none, the first calls of B are placed level with the first of A,
   * not behind all 30: batches take turns, however full the queue was before. Never before the own queued calls of the
   * batch.
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

/** Queue position of the call of a batch that has `calls` calls of this batch before it; null without such a call. */
function dueAtAfter(queue: readonly Queued[], calls: number): number | null {
  let left = calls;
  for (const group of queue) {
    if (left < group.calls) return group.dueAt;
    left -= group.calls;
  }
  return null;
}
