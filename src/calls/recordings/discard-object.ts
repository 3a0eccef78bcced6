import type { Tx } from '#store/transaction.js';
import { enqueueOnce } from '#calls/jobs/job-queue.js';
import type { RecordingRow } from './recording.js';

/**
 * Queues the deletion of a recording's object, which is retried while the storage is unavailable. A repeat has no
 * effect.
 */
export async function discardObject(tx: Tx, { callId, at }: { callId: string; at: number }): Promise<void> {
  // One that is under way may have passed what is to be deleted now: it is done once more.
  const waiting = await tx.run(
    `update jobs set status = 'pending', due_at = ?, lease_until = null where call_id = ? and kind = 'discard'`,
    at,
    callId,
  );
  if (waiting > 0) return;
  enqueueOnce(tx, { kind: 'discard', callId, at });
}

/**
 * Has the file of a recording deleted by the process that has its folder, as soon as there is one. Nothing where all
 * processes share that folder.
 */
export async function discardFile(
  tx: Tx,
  { call_id: callId, folder_id: folderId }: Pick<RecordingRow, 'call_id' | 'folder_id'>,
  at: number,
): Promise<void> {
  const other = await tx.get('select id from nodes where folder_id <> ? limit 1', folderId);
  if (folderId === null || !other) return;
  enqueueOnce(tx, { kind: 'forget', callId, folderId, at });
}
