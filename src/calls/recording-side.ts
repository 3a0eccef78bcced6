import { RecordingMoves } from '#calls/after-call/recording-moves.js';
import type { LiveSessions } from '#calls/live/sessions/live-sessions.js';
import { PartUploads } from '#calls/recordings/part-uploads.js';
import { Recordings } from '#calls/recordings/recordings.js';
import { StorageBacklog } from '#calls/recordings/storage-backlog.js';
import type { CallServiceParts } from './call-service-parts.js';

/** The objects that handle recordings: on the disk, during the upload to object storage, and in object storage. */
export interface RecordingSide {
  recordings: Recordings;
  recordingMoves: RecordingMoves;
  /** Null without object storage. */
  partUploads: PartUploads | null;
  storageBacklog: StorageBacklog;
}

/** Creates the part of the calls module that handles recordings. Used by `CallService`. */
export function openRecordingSide(
  parts: CallServiceParts,
  engine: {
    sessions: LiveSessions;
    /** Wakes the loop of `RecordingMoves` because a job for it is due. */
    wakeMoves(): void;
    /** Wakes the loop of `AfterCall` because it has to complete the file of a recording. */
    wakeAfterCall(): void;
  },
): RecordingSide {
  const { sessions, wakeMoves, wakeAfterCall } = engine;
  const { objectStorage: storage } = parts;
  const { recordingsDir, mostWaitingBytes } = parts.settings;
  const { folderId } = parts.node;
  // `onDiscardDue`: a recording's object in storage is to be deleted, which is a job of `RecordingMoves`.
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
