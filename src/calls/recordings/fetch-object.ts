import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStorage } from '#object-storage/object-storage.js';
import type { RecordingRow } from './recording.js';

/** Writes a recording in object storage to a file that is not there yet. @throws StorageError, or of the disk */
export async function fetchObject(
  storage: ObjectStorage,
  recording: RecordingRow,
  path: string,
): Promise<void> {
  const { body } = await storage.read(recording.object_key!);
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), file);
}
