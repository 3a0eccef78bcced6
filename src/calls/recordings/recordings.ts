import { access, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { ModuleContext } from '#store/module-context.js';
import type { Principal } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import type { Waveform, WaveformQuestion } from '#media/recording/waveform.js';
import { StorageError, type ObjectStorage, type StoredBytes } from '#object-storage/object-storage.js';
import { LONGEST_AWAY_MS } from '#calls/jobs/job.js';
import { fetchObject } from './fetch-object.js';
import { recordingTransactions } from './recording-store.js';
import type { RecordingRow } from './recording.js';

/** The number of waveforms that are cached, at 16 kB each. */
const CACHED_WAVEFORMS = 100;

/** The `Retry-After` for a recording that another process has not uploaded yet. */
const UPLOAD_RETRY_SECONDS = 10;

/** The dependencies of {@link Recordings}. */
interface RecordingsParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  recordingsDir: string;
  /** The id of the recordings folder. */
  folderId: string;
  /** Null when recordings stay on the disk. */
  storage: ObjectStorage | null;
  /** Called when the deletion of an object is due. */
  onDiscardDue(): void;
}

/** The operations on recordings and their files (play, show, delete), for the HTTP routes and the retention sweep. */
export class Recordings {
  readonly #parts: RecordingsParts;
  readonly #waveformThread: ComputeThread<WaveformQuestion>;
  /**
   * The computed waveforms, by recording id, size of the file (another file may replace it) and number of buckets.
   */
  readonly #waveforms = new LRUCache<string, Waveform>({ max: CACHED_WAVEFORMS });

  constructor(parts: RecordingsParts) {
    this.#parts = parts;
    this.#waveformThread = new ComputeThread(
      { name: 'waveforms', path: 'media/recording/waveform-thread.js' },
      parts,
    );
  }

  /** The playable recording of a call. @throws Problem `call_not_found`; `recording_not_found` while there is none */
  get(principal: Pick<Principal, 'workspace'>, callId: string): Promise<RecordingRow> {
    return this.#parts.store.read(recordingTransactions.get, { workspace: principal.workspace, callId });
  }

  /** The recording of a call in any workspace: only for requests with a signed link. */
  getSigned(callId: string): Promise<RecordingRow> {
    return this.#parts.store.read(recordingTransactions.get, { workspace: null, callId });
  }

  /**
   * Checks that the file of a recording is on this disk.
   * @throws Problem `recording_not_found` if the file was deleted by other means, or is in a folder without a process a
   *   day after the call; `unavailable` if another folder has the file, which is not uploaded yet
   */
  async requireFile(recording: RecordingRow): Promise<void> {
    if (await fileExists(this.pathOf(recording))) return;
    const { folder_id: folderId } = recording;
    if (folderId === null || folderId === this.#parts.folderId)
      throw new Problem('recording_not_found', 'The file of the recording no longer exists.');
    if (await this.#isLost(recording, folderId))
      throw new Problem(
        'recording_not_found',
        'The recording is on a machine that has been away for more than a day.',
      );
    throw new Problem('unavailable', 'The recording is on its way to object storage.', {
      retryAfterSeconds: UPLOAD_RETRY_SECONDS,
    });
  }

  /** True if the recording ended a day ago or earlier, and no living process has its folder. */
  async #isLost(
    { created_at: begunAt, duration_ms: durationMs }: RecordingRow,
    folderId: string,
  ): Promise<boolean> {
    const { store, clock } = this.#parts;
    if (clock.wallMs() - begunAt - durationMs < LONGEST_AWAY_MS) return false;
    return !(await store.read(recordingTransactions.isServed, { folderId }));
  }

  /** The path of a recording's file. */
  pathOf({ file_name: fileName }: RecordingRow): string {
    return join(this.#parts.recordingsDir, fileName);
  }

  /**
   * The loudness of both sides of a recording, in `buckets` periods of equal length.
   * @throws Problem as {@link get}
   */
  async waveform(
    principal: Pick<Principal, 'workspace'>,
    callId: string,
    buckets: number,
  ): Promise<Waveform> {
    const recording = await this.get(principal, callId);
    const key = `${recording.id} ${recording.size_bytes} ${buckets}`;
    const cached = this.#waveforms.get(key);
    if (cached) return cached;
    const file = await this.openFile(recording);
    try {
      const waveform = await this.#waveformThread.ask<Waveform>({ path: file.path, buckets });
      this.#waveforms.set(key, waveform);
      return waveform;
    } finally {
      await file.close();
    }
  }

  /** Stops the thread that computes waveforms. */
  close(): Promise<void> {
    return this.#waveformThread.close();
  }

  /**
   * The file of a recording on the disk, downloaded if the recording is in object storage. `close` must be called after
   * reading.
   * @throws Problem `recording_not_found`; `unavailable` while the storage cannot be reached
   */
  async openFile(recording: RecordingRow): Promise<{ path: string; close: () => Promise<void> }> {
    if (recording.storage === 'local') {
      await this.requireFile(recording);
      return { path: this.pathOf(recording), close: async () => {} };
    }
    const path = join(this.#parts.recordingsDir, `${recording.file_name}.${this.#parts.ids.next('rec')}`);
    const close = async () => unlink(path).catch(() => {});
    try {
      await fetchObject(this.#requireStorage(), recording, path);
    } catch (error) {
      await close();
      throw asProblem(error);
    }
    return { path, close };
  }

  /**
   * Reads a recording in object storage.
   * @param range the `Range` header of the request; undefined for the whole recording
   * @throws Problem as {@link openFile}
   */
  async readObject(recording: RecordingRow, range: string | undefined): Promise<StoredBytes> {
    try {
      return await this.#requireStorage().read(recording.object_key!, range);
    } catch (error) {
      throw asProblem(error);
    }
  }

  /**
   * A signed URL of a recording in object storage.
   * @throws Problem `unavailable`
   */
  signedAddress(recording: RecordingRow, options: { seconds: number; attachment?: string }): Promise<string> {
    return this.#requireStorage().signedAddress(recording.object_key!, options);
  }

  #requireStorage(): ObjectStorage {
    const { storage } = this.#parts;
    if (storage) return storage;
    throw new Problem('unavailable', 'The recording is in an object storage that is not set up any more.');
  }

  /**
   * Deletes a recording. In object storage it is unreadable at once, and its object is deleted when the storage can be
   * reached. On the disk the file is deleted before the row changes, so that a request that fails can be repeated.
   * @throws Problem as {@link get}; `unavailable` if the file cannot be deleted
   */
  async remove(principal: Pick<Principal, 'workspace'>, callId: string): Promise<void> {
    const { store, clock, onDiscardDue } = this.#parts;
    const { file_name: fileName, storage } = await this.get(principal, callId);
    if (storage === 'local') await this.removeFile(fileName);
    const { workspace } = principal;
    await store.write(recordingTransactions.remove, { workspace, callId, at: clock.wallMs() });
    if (storage === 's3') onDiscardDue();
  }

  /**
   * Deletes a recording's file from the disk; a missing file is no error.
   * @throws Problem `unavailable`
   */
  async removeFile(fileName: string): Promise<void> {
    await unlink(join(this.#parts.recordingsDir, fileName)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new Problem('unavailable', 'The recording could not be deleted.');
    });
  }
}

/** True if a file of a recording is on this disk. */
export function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The problem to answer with after an error of the object storage; any other error is returned as it is. */
function asProblem(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.failure === 'not_found')
    return new Problem('recording_not_found', 'The object of the recording no longer exists.');
  return new Problem('unavailable', 'The object storage of the recording cannot be reached.');
}
