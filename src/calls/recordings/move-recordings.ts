import { rename, unlink } from 'node:fs/promises';
import type { Clock } from '#kernel/time/clock.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { Store } from '#store/store.js';
import { fetchObject } from './fetch-object.js';
import { recordingTransactions } from './recording-store.js';
import type { RecordingRow } from './recording.js';

/** How many recordings one read returns. */
const PAGE_SIZE = 100;

/** The result of moving one recording. */
export interface MoveProgress {
  callId: string;
  sizeBytes: number;
  /** Why the recording was not moved; null when it was. */
  failure: string | null;
}

/** The dependencies of {@link moveRecordings}. */
interface MoveContext {
  store: Store;
  clock: Clock;
  storage: ObjectStorage;
  /** The path of a recording's file by its name. */
  pathOf(fileName: string): string;
  /** The id of the folder with the files. */
  folderId: string;
}

/**
 * Moves finished recordings between disk and object storage, the oldest first, for the command `move-recordings`. Each
 * recording is complete in one of the two places at every moment, so an interrupted move can be repeated. Returns how
 * many were moved and how many failed.
 * @param wanted.begunBefore epoch milliseconds
 */
export async function moveRecordings(
  wanted: { to: RecordingRow['storage']; begunBefore: number },
  context: MoveContext,
  onProgress: (progress: MoveProgress) => void,
): Promise<{ moved: number; failed: number }> {
  const fromStorage = wanted.to === 's3' ? 'local' : 's3';
  const result = { moved: 0, failed: 0 };
  let after = '';
  for (;;) {
    const { begunBefore } = wanted;
    const { store, folderId } = context;
    const slice = { storage: fromStorage, folderId, begunBefore, after, limit: PAGE_SIZE } as const;
    const recordings = await store.read(recordingTransactions.storedIn, slice);
    for (const recording of recordings) {
      const failure = await (wanted.to === 's3' ? upload : download)(recording, context).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
      );
      result[failure === null ? 'moved' : 'failed'] += 1;
      onProgress({ callId: recording.call_id, sizeBytes: recording.size_bytes, failure });
    }
    after = recordings.at(-1)?.id ?? after;
    if (recordings.length < PAGE_SIZE) return result;
  }
}

/** Moves one recording to object storage: the file is deleted after the row names the object. */
async function upload(
  recording: RecordingRow,
  { store, clock, storage, pathOf }: MoveContext,
): Promise<void> {
  const objectKey = storage.keyOf(recording.file_name);
  await storage.upload(objectKey, pathOf(recording.file_name), async () => {});
  const isKept = await store.write(recordingTransactions.uploaded, { callId: recording.call_id, objectKey });
  // The call was erased meanwhile: the service deletes the object, with retries while the storage is unavailable.
  if (!isKept)
    return store.write(recordingTransactions.discard, { callId: recording.call_id, at: clock.wallMs() });
  await unlink(pathOf(recording.file_name));
}

/**
 * Moves one recording to the disk: the object is deleted after the row names the file. The file gets its final name
 * when it is complete.
 */
async function download(
  recording: RecordingRow,
  { store, clock, storage, pathOf, folderId }: MoveContext,
): Promise<void> {
  const path = pathOf(recording.file_name);
  const incomplete = `${path}.part`;
  // Left over from an interrupted move.
  await unlink(incomplete).catch(() => {});
  await fetchObject(storage, recording, incomplete);
  await rename(incomplete, path);
  const facts = { callId: recording.call_id, folderId, at: clock.wallMs() };
  // False: the call was erased meanwhile.
  if (!(await store.write(recordingTransactions.fetched, facts))) return unlink(path);
  // Without this, the service would delete the object later: `fetched` has queued that.
  await storage.remove(recording.object_key!);
}
