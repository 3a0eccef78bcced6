import { rename, unlink } from 'node:fs/promises';
import type { Clock } from '#kernel/time/clock.js';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { Store } from '#store/store.js';
import { fetchObject } from './fetch-object.js';
import { recordingTransactions } from './recording-store.js';
import type { RecordingRow } from './recording.js';

const AT_ONCE = 100;

export interface MoveProgress {
  callId: string;
  sizeBytes: number;
  /** Why the recording was not moved; null when it was. */
  failure: string | null;
}

interface Moving {
  store: Store;
  clock: Clock;
  storage: ObjectStorage;
  /** The file of a recording, by its name. */
  pathOf(fileName: string): string;
  /** Of the folder that the files are in. */
  folderId: string;
}

/**
 * Moves finished recordings between disk and object storage, the oldest first. Each recording is complete in one of the
 * two at every moment, so an interrupted move can be repeated.
 * @param wanted.begunBefore epoch milliseconds
 */
export async function moveRecordings(
  wanted: { to: RecordingRow['storage']; begunBefore: number },
  moving: Moving,
  onProgress: (progress: MoveProgress) => void,
): Promise<{ moved: number; failed: number }> {
  const from = wanted.to === 's3' ? 'local' : 's3';
  const result = { moved: 0, failed: 0 };
  let after = '';
  for (;;) {
    const { begunBefore } = wanted;
    const { store, folderId } = moving;
    const slice = { storage: from, folderId, begunBefore, after, limit: AT_ONCE } as const;
    const recordings = await store.read(recordingTransactions.keptIn, slice);
    for (const recording of recordings) {
      const failure = await (wanted.to === 's3' ? upload : fetch)(recording, moving).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
      );
      result[failure === null ? 'moved' : 'failed'] += 1;
      onProgress({ callId: recording.call_id, sizeBytes: recording.size_bytes, failure });
    }
    after = recordings.at(-1)?.id ?? after;
    if (recordings.length < AT_ONCE) return result;
  }
}

async function upload(recording: RecordingRow, { store, clock, storage, pathOf }: Moving): Promise<void> {
  const objectKey = storage.keyOf(recording.file_name);
  await storage.upload(objectKey, pathOf(recording.file_name), async () => {});
  const isKept = await store.write(recordingTransactions.uploaded, { callId: recording.call_id, objectKey });
  // The call was erased meanwhile: the service deletes the object, with retries while the storage is unavailable.
  if (!isKept)
    return store.write(recordingTransactions.discard, { callId: recording.call_id, at: clock.wallMs() });
  await unlink(pathOf(recording.file_name));
}

async function fetch(
  recording: RecordingRow,
  { store, clock, storage, pathOf, folderId }: Moving,
): Promise<void> {
  const path = pathOf(recording.file_name);
  const part = `${path}.part`;
  await unlink(part).catch(() => {});
  await fetchObject(storage, recording, part);
  await rename(part, path);
  const facts = { callId: recording.call_id, folderId, at: clock.wallMs() };
  if (!(await store.write(recordingTransactions.fetched, facts))) return unlink(path);
  await storage.remove(recording.object_key!);
}
