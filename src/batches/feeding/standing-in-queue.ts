import type { Tx } from '../../store/unit.js';
import type { PacingInput } from './pacing.js';

/** How much of the queue is looked at: what fifty batches add to it in a turn each. */
const CALLS_LOOKED_AT = 500;

/** How full the dialler's queue is of a batch, and of how many others. `now` is epoch milliseconds. */
export async function standingInQueue(
  tx: Tx,
  batchId: string,
  now: number,
): Promise<Pick<PacingInput, 'queued' | 'batchesQueued'>> {
  const rows = await tx.all(
    `select batch_id, count(*) as queued from (
       select call_id from dial_attempts where status = 'pending' and lane = 'batch' and due_at <= ?
       order by due_at, id limit ${CALLS_LOOKED_AT}) as due
     join calls on calls.id = due.call_id group by batch_id`,
    now,
  );
  const own = rows.find((row) => row['batch_id'] === batchId);
  return { queued: Number(own?.['queued'] ?? 0), batchesQueued: rows.length + (own ? 0 : 1) };
}
