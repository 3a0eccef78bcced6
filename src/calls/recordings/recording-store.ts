import { Problem } from '#kernel/errors/errors.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { LIMIT } from '#store/statements/limit.js';
import { requireCall } from '#calls/record/call-rows.js';
import { discardObject } from './discard-object.js';
import { RecordingRow, type GapOfRecording } from './recording.js';

export const recordingTransactions = defineTransactions('recordings', {
  /**
   * A playable recording; `workspace` is null for a request with a signed link.
   * @throws Problem `call_not_found`, `recording_not_found`
   */
  async get(tx, args: { workspace: string | null; callId: string }): Promise<RecordingRow> {
    if (args.workspace !== null) await requireCall(tx, { workspace: args.workspace, id: args.callId });
    return requireRecording(tx, args.callId);
  },

  /** Stores the gaps of a recording before it is completed. */
  async keepGaps(tx, args: { callId: string; gaps: readonly GapOfRecording[] }): Promise<void> {
    const gaps = JSON.stringify(args.gaps);
    await tx.run(
      `update recordings set gaps = ? where call_id = ? and status = 'writing'`,
      gaps,
      args.callId,
    );
  },

  async remove(tx, args: { workspace: string; callId: string; at: number }): Promise<void> {
    await requireCall(tx, { workspace: args.workspace, id: args.callId });
    const recording = await requireRecording(tx, args.callId);
    await tx.run(`update recordings set status = 'deleted' where id = ?`, recording.id);
    if (recording.storage === 's3') await discardObject(tx, args);
  },

  /** Queues the deletion of a deleted recording's object, however much of it was stored. */
  async discard(tx, args: { callId: string; at: number }): Promise<void> {
    await discardObject(tx, args);
  },

  /** The latest recording of a call, in any status and place. */
  async stored(tx, { callId }: { callId: string }): Promise<RecordingRow | null> {
    const row = await tx.get('select * from recordings where call_id = ? order by id desc limit 1', callId);
    return row ? RecordingRow.parse(row) : null;
  },

  /** Stores that a recording is complete in object storage; false when it was deleted meanwhile. */
  async uploaded(tx, args: { callId: string; objectKey: string }): Promise<boolean> {
    const changed = await tx.run(
      `update recordings set storage = 's3', object_key = ? where call_id = ? and status = 'ready'`,
      args.objectKey,
      args.callId,
    );
    return changed > 0;
  },

  /**
   * Stores that a recording is complete on the disk again, and queues the deletion of its object; false when the
   * recording was deleted meanwhile.
   */
  async fetched(tx, args: { callId: string; at: number }): Promise<boolean> {
    const changed = await tx.run(
      `update recordings set storage = 'local' where call_id = ? and status = 'ready' and storage = 's3'`,
      args.callId,
    );
    if (changed > 0) await discardObject(tx, args);
    return changed > 0;
  },

  /** Finished recordings in one place that were begun before an instant, in the order of their ids. */
  async keptIn(
    tx,
    args: { storage: RecordingRow['storage']; begunBefore: number; after: string; limit: number },
  ): Promise<RecordingRow[]> {
    const rows = await tx.all(
      `select * from recordings where status = 'ready' and storage = ? and created_at < ? and id > ?
       order by id ${LIMIT}`,
      args.storage,
      args.begunBefore,
      args.after,
      args.limit,
    );
    return rows.map((row) => RecordingRow.parse(row));
  },
});

async function requireRecording(tx: Tx, callId: string): Promise<RecordingRow> {
  const row = await tx.get(`select * from recordings where call_id = ? and status = 'ready'`, callId);
  if (!row) {
    throw new Problem(
      'recording_not_found',
      'There is no recording: the call is not over, or was not recorded.',
    );
  }
  return RecordingRow.parse(row);
}
