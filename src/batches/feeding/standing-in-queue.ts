import type { SqlRow, Tx } from '#store/unit.js';
import type { PacingInput } from './pacing.js';

/** How much of the queue is looked at: what fifty batches add to it in a turn each. */
const CALLS_LOOKED_AT = 500;

/** Calls of one batch that wait in the queue since the same instant (epoch milliseconds). */
interface Queued {
  batchId: string;
  dueAt: number;
  calls: number;
}

/** How full the dialler's queue is of a batch, and of how many others, and where its next calls stand in it. */
export interface StandingInQueue extends Pick<PacingInput, 'queued' | 'batchesQueued'> {
  /**
   * What the next calls of the batch are due at, for the queue is in that order: beside those that another batch has as
   * many before of, so that batches take turns however much of the queue was filled before they came.
   */
  dueAt: number;
}

/** `now` is epoch milliseconds. */
export async function standingInQueue(tx: Tx, batchId: string, now: number): Promise<StandingInQueue> {
  const rows = await tx.all(
    `select batch_id, due_at, count(*) as calls from (
       select call_id, due_at from dial_attempts where status = 'pending' and lane = 'batch' and due_at <= ?
       order by due_at, id limit ${CALLS_LOOKED_AT}) as due
     join calls on calls.id = due.call_id group by batch_id, due_at order by due_at`,
    now,
  );
  const queues = queuesOf(rows.map(toQueued));
  const own = queues.get(batchId) ?? [];
  queues.delete(batchId);
  const queued = own.reduce((sum, { calls }) => sum + calls, 0);
  const besides = [...queues.values()].map((other) => dueAtBehind(other, queued) ?? now);
  return {
    queued,
    batchesQueued: queues.size + 1,
    dueAt: Math.max(own.at(-1)?.dueAt ?? 0, Math.min(now, ...besides)),
  };
}

function toQueued(row: SqlRow): Queued {
  return { batchId: String(row['batch_id']), dueAt: Number(row['due_at']), calls: Number(row['calls']) };
}

/** What waits of each batch, in the order of the queue. */
function queuesOf(queued: readonly Queued[]): Map<string, Queued[]> {
  const queues = new Map<string, Queued[]>();
  for (const some of queued) {
    const queue = queues.get(some.batchId);
    if (queue) queue.push(some);
    else queues.set(some.batchId, [some]);
  }
  return queues;
}

/** What the call of a batch is due at that has so many before it; null when there is none. */
function dueAtBehind(queue: readonly Queued[], calls: number): number | null {
  let left = calls;
  for (const some of queue) {
    if (left < some.calls) return some.dueAt;
    left -= some.calls;
  }
  return null;
}
