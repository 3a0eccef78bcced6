import type { Recorder } from '#media/recording/recording.js';
import { Problem } from '#kernel/errors/errors.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { LIMIT } from '#store/statements/limit.js';
import { lockCall, requireCall } from '#calls/record/call-rows.js';
import { enqueueJobAgain, enqueueJobOnce } from '#calls/jobs/job-queue.js';
import { noteOnCall } from '#calls/record/life-cycle-log.js';
import { discardFile, discardObject } from './discard-object.js';
import { gapsWhenCut, RecordingRow, type GapOfRecording } from './recording.js';

/** The counter of calls that were not recorded because too many recordings waited for object storage. */
export const RECORDINGS_REFUSED = 'recordings_refused';

/** The gaps of a recorder, in the form of the column `gaps`. */
export function gapsOf({ gaps }: Pick<Recorder, 'gaps'>): GapOfRecording[] {
  return gaps.map(({ startMs, endMs }) => ({ start_ms: startMs, end_ms: endMs }));
}

/** The complete file of a recording in a recordings folder. */
interface FileInFolder {
  callId: string;
  /** The id of the recordings folder. */
  folderId: string;
  sizeBytes: number;
  durationMs: number;
  /** The current time (epoch milliseconds). */
  at: number;
}

/**
 * The transactions on the table `recordings`: playing, uploading in parts, joining, moving and deleting. Used by
 * `Recordings`, `PartUploads`, `RecordingMoves`, `StorageBacklog`, `LiveSession` and the command `move-recordings`.
 */
export const recordingTransactions = defineTransactions('recordings', {
  /**
   * The playable recording of a call; `workspace` is null for a request with a signed link.
   * @throws Problem `call_not_found`, `recording_not_found`
   */
  async get(tx, args: { workspace: string | null; callId: string }): Promise<RecordingRow> {
    if (args.workspace !== null) await requireCall(tx, { workspace: args.workspace, id: args.callId });
    return requireRecording(tx, args.callId);
  },

  /** Stores the gaps of a recording at the end of its call, before its file is completed. */
  async keepGaps(tx, args: { callId: string; gaps: readonly GapOfRecording[] }): Promise<void> {
    const gaps = JSON.stringify(args.gaps);
    await tx.run(
      `update recordings set gaps = ? where call_id = ? and status = 'writing'`,
      gaps,
      args.callId,
    );
  },

  /** True if a living process keeps recordings in a folder. */
  async isServed(tx, { folderId }: { folderId: string }): Promise<boolean> {
    return (await tx.get('select id from nodes where folder_id = ? limit 1', folderId)) !== undefined;
  },

  /** How many bytes of recordings in a folder wait for their upload to object storage. */
  async waitingBytes(tx, { folderId }: { folderId: string }): Promise<number> {
    const row = await tx.get(
      `select coalesce(sum(size_bytes), 0) as bytes
       from jobs join recordings on recordings.call_id = jobs.call_id
       where kind = 'upload' and recordings.status = 'ready' and storage = 'local'
         and (recordings.folder_id is null or recordings.folder_id = ?)`,
      folderId,
    );
    return Number(row?.['bytes']);
  },

  /**
   * Stores that a part is about to be uploaded, so that a later deletion finds the part. False if another folder has
   * the recording, or if the recording is complete or deleted.
   */
  async beginPart(
    tx,
    args: { callId: string; folderId: string; number: number; objectKey: string },
  ): Promise<boolean> {
    const changed = await tx.run(
      `update recordings set parts = ?, object_key = ?
       where call_id = ? and status = 'writing' and folder_id = ?`,
      args.number,
      args.objectKey,
      args.callId,
      args.folderId,
    );
    return changed > 0;
  },

  /** Stores how much of a recording is uploaded in parts, and its gaps so far; false as for `beginPart`. */
  async keepPart(
    tx,
    args: { callId: string; folderId: string; partBytes: number; gaps: readonly GapOfRecording[] },
  ): Promise<boolean> {
    const changed = await tx.run(
      `update recordings set part_bytes = ?, gaps = ?
       where call_id = ? and status = 'writing' and folder_id = ?`,
      args.partBytes,
      JSON.stringify(args.gaps),
      args.callId,
      args.folderId,
    );
    return changed > 0;
  },

  /**
   * Queues the deletion of a late part: it may have been uploaded after its recording was completed or taken over, and
   * the other parts were removed. The column `parts` includes the late part again, so that the deletion finds it.
   */
  async removeLatePart(tx, args: { callId: string; number: number; at: number }): Promise<void> {
    await tx.run(
      'update recordings set parts = ? where call_id = ? and parts < ?',
      args.number,
      args.callId,
      args.number,
    );
    await discardObject(tx, args);
  },

  /** Stores that the parts of a recording were removed, unless more parts were begun meanwhile. */
  async partsRemoved(tx, args: { callId: string; parts: number }): Promise<void> {
    await tx.run('update recordings set parts = 0 where call_id = ? and parts = ?', args.callId, args.parts);
  },

  /**
   * Moves the recording of a dead process to the folder in which its file was joined from parts, and queues its
   * completion there. False if the recording was completed or deleted meanwhile.
   */
  async joined(
    tx,
    args: { callId: string; folderId: string; durationMs: number; at: number },
  ): Promise<boolean> {
    const { callId, folderId, at, durationMs } = args;
    const call = await lockCall(tx, callId);
    const recording = await lockRecording(tx, callId, 'writing');
    if (!recording || !call) return false;
    // The folder is the same if the process that recorded the call is back and found its file missing.
    if (recording.folder_id !== folderId) {
      noteOnCall(tx, call, { type: 'recording_joined', at, data: { duration_ms: durationMs } });
      await discardFile(tx, recording, at);
      const gaps = JSON.stringify(gapsWhenCut(recording.gaps, durationMs));
      await tx.run(
        'update recordings set folder_id = ?, gaps = ? where id = ?',
        folderId,
        gaps,
        recording.id,
      );
    }
    enqueueJobOnce(tx, { kind: 'recording', callId, at, folderId });
    return true;
  },

  /** Like `joined`, for a complete recording that waited for its upload when its file was lost. */
  async joinedAgain(tx, args: FileInFolder): Promise<boolean> {
    const { callId, at, durationMs } = args;
    const call = await lockCall(tx, callId);
    const recording = await lockRecording(tx, callId, 'ready');
    if (!recording || !call) return false;
    noteOnCall(tx, call, { type: 'recording_joined', at, data: { duration_ms: durationMs } });
    await discardFile(tx, recording, at);
    const isCut = durationMs < recording.duration_ms;
    const gaps = isCut ? gapsWhenCut(recording.gaps, durationMs) : recording.gaps;
    await setFile(tx, recording, { ...args, gaps });
    return true;
  },

  /**
   * Replaces a joined recording by the longer file of the process that recorded the call, which is back; queues its
   * upload. False if the joined recording is not in object storage yet, or was deleted.
   */
  async returned(tx, args: FileInFolder): Promise<boolean> {
    const { callId, folderId, at, durationMs } = args;
    const call = await lockCall(tx, callId);
    const recording = await lockRecording(tx, callId, 'ready');
    if (!recording || !call || recording.storage !== 's3') return false;
    // The gap with an unknown end was the audio that the parts lacked, and the longer file has. After a crash, the last
    // audio is missing from that file, too.
    const knownGaps = recording.gaps.filter(({ end_ms }) => end_ms !== null);
    const gaps = call.ended_reason === 'server_crash' ? gapsWhenCut(knownGaps, durationMs) : knownGaps;
    await setFile(tx, recording, { ...args, gaps });
    await tx.run(`update recordings set storage = 'local' where id = ?`, recording.id);
    enqueueJobAgain(tx, { kind: 'upload', callId, at, folderId });
    return true;
  },

  /** Deletes a recording and queues the deletion of its object or file. @throws as `get` */
  async remove(tx, args: { workspace: string; callId: string; at: number }): Promise<void> {
    await requireCall(tx, { workspace: args.workspace, id: args.callId });
    const recording = await requireRecording(tx, args.callId);
    await tx.run(`update recordings set status = 'deleted' where id = ?`, recording.id);
    if (recording.storage === 's3' || recording.parts > 0) await discardObject(tx, args);
    if (recording.storage === 'local') await discardFile(tx, recording, args.at);
  },

  /** Queues the deletion of the object and the parts of a recording that was deleted. */
  async discard(tx, args: { callId: string; at: number }): Promise<void> {
    await discardObject(tx, args);
  },

  /** The latest recording of a call, in any status and place. */
  async latest(tx, { callId }: { callId: string }): Promise<RecordingRow | null> {
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
   * Stores that a recording is complete on the disk again, and queues the deletion of its object. False if the
   * recording was deleted.
   */
  async fetched(tx, args: { callId: string; folderId: string; at: number }): Promise<boolean> {
    const changed = await tx.run(
      `update recordings set storage = 'local', folder_id = ?
       where call_id = ? and status = 'ready' and storage = 's3'`,
      args.folderId,
      args.callId,
    );
    if (changed > 0) await discardObject(tx, args);
    return changed > 0;
  },

  /**
   * Finished recordings in one place, object storage or a folder, that were begun before an instant (epoch
   * milliseconds); in the order of their ids, after the id `after`. Only a search in a folder uses `folderId`.
   */
  async storedIn(
    tx,
    args: {
      storage: RecordingRow['storage'];
      folderId: string;
      begunBefore: number;
      after: string;
      limit: number;
    },
  ): Promise<RecordingRow[]> {
    const rows = await tx.all(
      `select * from recordings where status = 'ready' and storage = ?
         and (storage = 's3' or folder_id is null or folder_id = ?) and created_at < ? and id > ?
       order by id ${LIMIT}`,
      args.storage,
      args.folderId,
      args.begunBefore,
      args.after,
      args.limit,
    );
    return rows.map((row) => RecordingRow.parse(row));
  },
});

/** Locks the recording of a call until the transaction ends; null unless it has this status. */
async function lockRecording(
  tx: Tx,
  callId: string,
  status: RecordingRow['status'],
): Promise<RecordingRow | null> {
  const row = await tx.get(
    `select * from recordings where call_id = ? and status = ?${tx.dialect.forUpdate}`,
    callId,
    status,
  );
  return row ? RecordingRow.parse(row) : null;
}

/** Writes the columns that describe the file of a recording. */
async function setFile(
  tx: Tx,
  { id }: RecordingRow,
  file: Omit<FileInFolder, 'callId' | 'at'> & { gaps: readonly GapOfRecording[] },
): Promise<void> {
  await tx.run(
    'update recordings set folder_id = ?, size_bytes = ?, duration_ms = ?, gaps = ? where id = ?',
    file.folderId,
    file.sizeBytes,
    file.durationMs,
    JSON.stringify(file.gaps),
    id,
  );
}

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
