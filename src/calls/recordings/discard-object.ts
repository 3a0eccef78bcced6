import { derivedId } from '#kernel/ids/ids.js';
import type { Tx } from '#store/transaction.js';
import { enqueueJob } from '#calls/jobs/job-queue.js';

/** Has the object of a recording deleted, also where its storage is away now. Asking twice is harmless. */
export async function discardObject(tx: Tx, { callId, at }: { callId: string; at: number }): Promise<void> {
  const waiting = await tx.get(`select id from jobs where call_id = ? and kind = 'discard'`, callId);
  if (waiting) return;
  await enqueueJob(tx, { id: derivedId('job', at, callId, 'discard'), kind: 'discard', callId, at });
}
