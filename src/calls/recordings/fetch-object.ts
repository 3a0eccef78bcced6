import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { RecordingRow } from './recording.js';

/**
 * Downloads a recording from object storage to a new file at `path`, for `Recordings` and for moving recordings back to
 * the disk (`moveRecordings`).
 * @throws StorageError, or an error of the file system
 */
export async function fetchObject(
  storage: ObjectStorage,
  recording: RecordingRow,
  path: string,
): Promise<void> {
  const { body } = await storage.read(recording.object_key!);
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), file);
}
