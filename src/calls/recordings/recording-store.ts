import type { Recorder } from '#media/recording/recording.js';
import { Problem } from '#kernel/errors/errors.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { LIMIT } from '#store/statements/limit.js';
import { lockCall, requireCall } from '#calls/record/call-rows.js';
import { enqueueAgain, enqueueOnce } from '#calls/jobs/job-queue.js';
import { noteOnCall } from '#calls/record/note-on-call.js';
import { discardFile, discardObject } from './discard-object.js';
import { gapsWhenCut, RecordingRow, type GapOfRecording } from './recording.js';

/** The counter of calls that were not recorded since too many recordings waited for object storage. */
export const RECORDINGS_REFUSED = 'recordings_refused';

/** The gaps of a recording that goes on or has just ended, as its row keeps them. */
export function gapsOf({ gaps }: Pick<Recorder, 'gaps'>): GapOfRecording[] {
  return gaps.map(({ startMs, endMs }) => ({ start_ms: startMs, end_ms: endMs }));
}

/** A file of a recording in the folder of a process. */
interface FileInFolder {
  callId: string;
  folderId: string;
  sizeBytes: number;
  durationMs: number;
  at: number;
}

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

  /** True if a living process keeps recordings in a folder. */
  async isServed(tx, { folderId }: { folderId: string }): Promise<boolean> {
    return (await tx.get('select id from nodes where folder_id = ? limit 1', folderId)) !== undefined;
  },

  /** How much of a folder waits to be taken to object storage. */
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

  /** A part of a recording is about to be stored. False where it is not that folder's, or done with. */
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

  /** How much of a recording is stored in parts, and what it lacks by now; false as {@link beginPart}. */
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

  /** A part was stored of a recording that was done with meanwhile. */
  async removeLatePart(tx, args: { callId: string; number: number; at: number }): Promise<void> {
    await tx.run(
      'update recordings set parts = ? where call_id = ? and parts < ?',
      args.number,
      args.callId,
      args.number,
    );
    await discardObject(tx, args);
  },

  /** The parts of a recording are gone, unless there are further ones by now. */
  async partsRemoved(tx, args: { callId: string; parts: number }): Promise<void> {
    await tx.run('update recordings set parts = 0 where call_id = ? and parts = ?', args.callId, args.parts);
  },

  /**
   * The file of a recording was put together from its parts in another folder: it is completed there. False where it
   * was done with meanwhile.
   */
  async joined(
    tx,
    args: { callId: string; folderId: string; durationMs: number; at: number },
  ): Promise<boolean> {
    const { callId, folderId, at, durationMs } = args;
    const call = await lockCall(tx, callId);
    const recording = await lockRecording(tx, callId, 'writing');
    if (!recording || !call) return false;
    // Unless the process that has the file is back, and found it there.
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
    enqueueOnce(tx, { kind: 'recording', callId, at, folderId });
    return true;
  },

  /** The same for a recording that was complete, and waited to be taken to object storage. */
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
   * The process that recorded a call is back, with more of it than was put together from parts: its file is taken to
   * object storage once more. False where the recording is not there yet, or was deleted.
   */
  async returned(tx, args: FileInFolder): Promise<boolean> {
    const { callId, folderId, at, durationMs } = args;
    const call = await lockCall(tx, callId);
    const recording = await lockRecording(tx, callId, 'ready');
    if (!recording || !call || recording.storage !== 's3') return false;
    const ended = recording.gaps.filter(({ end_ms }) => end_ms !== null);
    const gaps = call.ended_reason === 'server_crash' ? gapsWhenCut(ended, durationMs) : ended;
    await setFile(tx, recording, { ...args, gaps });
    await tx.run(`update recordings set storage = 'local' where id = ?`, recording.id);
    enqueueAgain(tx, { kind: 'upload', callId, at, folderId });
    return true;
  },

  async remove(tx, args: { workspace: string; callId: string; at: number }): Promise<void> {
    await requireCall(tx, { workspace: args.workspace, id: args.callId });
    const recording = await requireRecording(tx, args.callId);
    await tx.run(`update recordings set status = 'deleted' where id = ?`, recording.id);
    if (recording.storage === 's3' || recording.parts > 0) await discardObject(tx, args);
    if (recording.storage === 'local') await discardFile(tx, recording, args.at);
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

  /** A recording is on the disk again, whole; false where it was deleted meanwhile. Its object is to be deleted. */
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

  /** Finished recordings in one place that were begun before an instant, in the order of their ids. */
  async keptIn(
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

/** Another file takes the place of that of a recording. */
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
