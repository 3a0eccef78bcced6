import type { Tx } from '#store/transaction.js';
import { enqueueJobOnce } from '#calls/jobs/job-queue.js';
import type { RecordingRow } from './recording.js';

// Queues the deletion of recordings that are not needed any more, inside the transactions that delete or replace them.

/**
 * Queues the deletion of a recording's object and parts in object storage by `RecordingMoves`, which retries while the
 * storage is unavailable. A call has one job for this: a repeat restarts the job that exists.
 */
export async function discardObject(tx: Tx, { callId, at }: { callId: string; at: number }): Promise<void> {
  // A running deletion may have missed an object that was stored since it began, so it is repeated.
  const restarted = await tx.run(
    `update jobs set status = 'pending', due_at = ?, lease_until = null where call_id = ? and kind = 'discard'`,
    at,
    callId,
  );
  if (restarted > 0) return;
  enqueueJobOnce(tx, { kind: 'discard', callId, at });
}

/**
 * Queues the deletion of a recording's file by a process of its folder, as soon as one runs. Does nothing if all
 * processes share that folder: the calling code then deletes the file itself.
 */
export async function discardFile(
  tx: Tx,
  { call_id: callId, folder_id: folderId }: Pick<RecordingRow, 'call_id' | 'folder_id'>,
  at: number,
): Promise<void> {
  const nodeOfOtherFolder = await tx.get('select id from nodes where folder_id <> ? limit 1', folderId);
  if (folderId === null || !nodeOfOtherFolder) return;
  enqueueJobOnce(tx, { kind: 'forget', callId, folderId, at });
}
