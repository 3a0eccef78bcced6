import { derivedId } from '#kernel/ids/ids.js';
import type { Tx } from '#store/transaction.js';
import { enqueueJob } from '#calls/jobs/job-queue.js';

/**
 * Queues the deletion of a recording's object, which is retried while the storage is unavailable. A repeat has no
 * effect.
 */
export async function discardObject(tx: Tx, { callId, at }: { callId: string; at: number }): Promise<void> {
  const waiting = await tx.get(`select id from jobs where call_id = ? and kind = 'discard'`, callId);
  if (waiting) return;
  await enqueueJob(tx, { id: derivedId('job', at, callId, 'discard'), kind: 'discard', callId, at });
}
