import { open, rename, unlink } from 'node:fs/promises';
import { SIZE_UNKNOWN, stereoHeader } from '#media/samples/wav.js';
import { StorageError, type ObjectStorage } from '#object-storage/object-storage.js';
import type { RecordingRow } from './recording.js';

// The parts of a live call's recording in object storage. If the call's process dies, the recording is completed from
// its parts. `PartUploads` stores them; `RecordingMoves` joins and removes them.

/** The key of a part of a recording, numbered from 1. A part holds audio only, without a WAV header. */
export function partKey(objectKey: string, number: number): string {
  return `${objectKey}.part-${String(number).padStart(4, '0')}`;
}

/**
 * Joins a recording's file at `path` from its parts in object storage, up to the first missing part. The calling code
 * must still write the length into the header (`repair`).
 * @param onProgress called after each part; a rejection stops the joining
 * @throws StorageError, or an error of the disk
 */
export async function joinParts(
  { storage, recording, path }: { storage: ObjectStorage; recording: RecordingRow; path: string },
  onProgress: () => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.joining`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.write(stereoHeader(recording.sample_rate, SIZE_UNKNOWN));
    for (let number = 1; number <= recording.parts; number += 1) {
      const part = await readPart(storage, partKey(recording.object_key!, number));
      if (part === null) break;
      await file.write(part);
      await onProgress();
    }
    await file.sync();
    await file.close();
    await rename(unfinished, path);
  } catch (error) {
    await file.close();
    await unlink(unfinished).catch(() => {});
    throw error;
  }
}

/** Removes all parts that were begun; a missing part is no error. @throws StorageError */
export async function removeParts(storage: ObjectStorage, recording: RecordingRow): Promise<void> {
  for (let number = 1; number <= recording.parts; number += 1)
    await storage.remove(partKey(recording.object_key!, number));
}

/** The bytes of a part; null if it is not stored. */
async function readPart(storage: ObjectStorage, key: string): Promise<Uint8Array | null> {
  try {
    const { body } = await storage.read(key);
    return new Uint8Array(await new Response(body).arrayBuffer());
  } catch (error) {
    if (error instanceof StorageError && error.failure === 'not_found') return null;
    throw error;
  }
}
