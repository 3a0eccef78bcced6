import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Work } from '#kernel/work/loop.js';
import { StorageError, type ObjectStorage } from '#object-storage/object-storage.js';
import type { Store } from '#store/store.js';
import { retryDelayMs, STORAGE_KINDS, type Job } from '#calls/jobs/job.js';
import { jobTransactions } from './job-store.js';
import { recordingTransactions } from '#calls/recordings/recording-store.js';
import type { RecordingRow } from '#calls/recordings/recording.js';

/** The lease on a move. An upload renews it at every part, so a part must not take longer. */
const LEASE_MS = 120_000;
/**
 * After a storage error this process starts no move for this long; jobs that come due are postponed to the end of it.
 */
const REST_MS = 15_000;

interface MoveParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  recordingsDir: string;
  storage: ObjectStorage | null;
}

/** Thrown when the call of a recording was erased during the upload. */
class ErasedMeanwhile extends Error {}

/**
 * Uploads recordings to object storage and deletes them there, as durable jobs that are never given up: the local file
 * stays until the storage has verified the whole object.
 */
export class RecordingMoves implements Work<Job> {
  readonly name = 'recording-moves';
  readonly concurrency = 2;
  readonly #parts: MoveParts;
  #restsUntil = 0;

  constructor(parts: MoveParts) {
    this.#parts = parts;
  }

  claim(limit: number): Promise<Job[]> {
    const now = this.#parts.clock.wallMs();
    const leaseUntil = now + LEASE_MS;
    return this.#parts.store.write(jobTransactions.claim, { kinds: STORAGE_KINDS, now, leaseUntil, limit });
  }

  nextDueAt(): Promise<number | null> {
    return this.#parts.store.read(jobTransactions.nextDueAt, { kinds: STORAGE_KINDS });
  }

  async perform(job: Job): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      if (clock.wallMs() < this.#restsUntil)
        return await this.#postpone(job, this.#restsUntil, 'unreachable');
      await this.#move(job);
      await store.write(jobTransactions.done, { jobId: job.id });
    } catch (error) {
      const failure = error instanceof StorageError ? error.failure : 'failed';
      log.warn({ err: error, call_id: job.call_id, kind: job.kind, failure }, 'object storage failed');
      const at = clock.wallMs();
      if (error instanceof StorageError) this.#restsUntil = at + REST_MS;
      await this.#postpone(job, at + retryDelayMs(job.attempts), failure);
    }
  }

  async #move(job: Job): Promise<void> {
    const { store, storage } = this.#parts;
    if (storage === null) throw new StorageError('refused', 'object storage is not set up any more');
    const recording = await store.read(recordingTransactions.stored, { callId: job.call_id });
    if (recording === null) return;
    const key = recording.object_key ?? storage.keyOf(recording.file_name);
    const isKept = recording.status === 'ready';
    // A later upload has stored the object again: it must stay.
    if (job.kind === 'discard' && isKept && recording.storage === 's3') return;
    if (job.kind === 'discard' || !isKept) return storage.remove(key);
    if (recording.storage === 'local' && !(await this.#upload(job, { storage, recording, key }))) return;
    // If the process dies here, the next attempt deletes the file.
    await this.#forgetFile(recording);
  }

  /** False when the object must not be used: the recording was deleted, or its file is missing. */
  async #upload(
    job: Job,
    { storage, recording, key }: { storage: ObjectStorage; recording: RecordingRow; key: string },
  ): Promise<boolean> {
    const { store, clock, log, recordingsDir } = this.#parts;
    const keepJob = async () => {
      const leaseUntil = clock.wallMs() + LEASE_MS;
      if (!(await store.write(jobTransactions.keep, { jobId: job.id, leaseUntil })))
        throw new ErasedMeanwhile();
    };
    try {
      await storage.upload(key, join(recordingsDir, recording.file_name), keepJob);
    } catch (error) {
      if (error instanceof ErasedMeanwhile) {
        // The erasure's own deletion may have run before these bytes were stored: a second deletion is queued.
        await store.write(recordingTransactions.discard, { callId: job.call_id, at: clock.wallMs() });
        return false;
      }
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      log.warn({ call_id: job.call_id }, 'the file of a recording is not in the recordings folder');
      return false;
    }
    if (await store.write(recordingTransactions.uploaded, { callId: job.call_id, objectKey: key }))
      return true;
    await store.write(recordingTransactions.discard, { callId: job.call_id, at: clock.wallMs() });
    return false;
  }

  async #forgetFile({ file_name: fileName }: RecordingRow): Promise<void> {
    await unlink(join(this.#parts.recordingsDir, fileName)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }

  #postpone(job: Job, dueAt: number, error: string): Promise<void> {
    const at = this.#parts.clock.wallMs();
    return this.#parts.store.write(jobTransactions.failed, { jobId: job.id, dueAt, error, at });
  }
}
