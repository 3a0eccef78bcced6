import { RecordingMoves } from '#calls/after-call/recording-moves.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { PartUploads } from '#calls/recordings/part-uploads.js';
import { Recordings } from '#calls/recordings/recordings.js';
import { StorageBacklog } from '#calls/recordings/storage-backlog.js';
import type { CallServiceParts } from './call-service-parts.js';

/** What becomes of the sound of calls: on the disk, on its way to object storage, and there. */
export interface RecordingSide {
  recordings: Recordings;
  recordingMoves: RecordingMoves;
  /** Null where there is no object storage. */
  partUploads: PartUploads | null;
  storageBacklog: StorageBacklog;
}

export function openRecordingSide(
  parts: CallServiceParts,
  around: {
    sessions: LiveSessions;
    /** There is something to be stored, put together, or deleted. */
    wakeMoves(): void;
    /** The file of a recording is to be completed. */
    wakeAfterCall(): void;
  },
): RecordingSide {
  const { sessions, wakeMoves, wakeAfterCall } = around;
  const { objectStorage: storage } = parts;
  const { recordingsDir, mostWaitingBytes } = parts.settings;
  const { folderId } = parts.node;
  const shared = { ...parts, recordingsDir, folderId, onDiscardDue: wakeMoves };
  return {
    recordings: new Recordings({ ...shared, storage }),
    recordingMoves: new RecordingMoves({
      ...shared,
      storage,
      isLive: (callId) => sessions.get(callId) !== undefined,
      onRecordingDue: wakeAfterCall,
    }),
    partUploads: storage && new PartUploads({ ...shared, storage }),
    storageBacklog: new StorageBacklog({ ...shared, mostWaitingBytes }),
  };
}
