import { open, rename, unlink } from 'node:fs/promises';
import { SIZE_UNKNOWN, stereoHeader } from '#media/samples/wav.js';
import { StorageError, type ObjectStorage } from '#object-storage/object-storage.js';
import type { RecordingRow } from './recording.js';

/** The key of a part of a recording, counted from 1: the sound alone, without the header of a file. */
export function partKey(objectKey: string, number: number): string {
  return `${objectKey}.part-${String(number).padStart(4, '0')}`;
}

/**
 * Puts the file of a recording together from its parts in object storage, as far as they are there without a gap. The
 * length in its header is still to be written.
 * @param onProgress after each part; may reject to stop
 * @throws StorageError, or of the disk
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

/** Removes all parts that were begun; one that is not there is as good as removed. @throws StorageError */
export async function removeParts(storage: ObjectStorage, recording: RecordingRow): Promise<void> {
  for (let number = 1; number <= recording.parts; number += 1)
    await storage.remove(partKey(recording.object_key!, number));
}

async function readPart(storage: ObjectStorage, key: string): Promise<Uint8Array | null> {
  try {
    const { body } = await storage.read(key);
    return new Uint8Array(await new Response(body).arrayBuffer());
  } catch (error) {
    if (error instanceof StorageError && error.failure === 'not_found') return null;
    throw error;
  }
}
