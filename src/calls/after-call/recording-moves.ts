import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModuleContext } from '#store/module-context.js';
import type { Work } from '#kernel/work/loop.js';
import type { RecordedFile } from '#media/recording/recording.js';
import { StorageError, type ObjectStorage } from '#object-storage/object-storage.js';
import {
  AWAY_GRACE_MS,
  claimOf,
  FILE_ELSEWHERE,
  retryDelayMs,
  STORAGE_KINDS,
  type Job,
} from '#calls/jobs/job.js';
import { jobTransactions } from './job-store.js';
import { joinParts, removeParts } from '#calls/recordings/recording-parts.js';
import { fileExists } from '#calls/recordings/recordings.js';
import { recordingTransactions } from '#calls/recordings/recording-store.js';
import type { RecordingRow } from '#calls/recordings/recording.js';

/** The lease on a job. It is renewed after each part that is uploaded or joined, so one part must not take longer. */
const LEASE_MS = 120_000;
/**
 * The pause after a storage error, in which this process starts no job that uses the storage. Jobs that come due are
 * postponed to the end of the pause, except `forget` jobs, which delete local files.
 */
const PAUSE_AFTER_ERROR_MS = 15_000;

/** The dependencies of {@link RecordingMoves}. */
interface RecordingMovesDependencies extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  recordingsDir: string;
  /** The id of the recordings folder of this process. */
  folderId: string;
  /** Null without object storage. */
  storage: ObjectStorage | null;
  /** True while this process records the call, even if other processes consider this process dead. */
  isLive(callId: string): boolean;
  /** Called when a recording was joined here, and the job that completes its file is queued. */
  onRecordingDue(): void;
  /** Completes a recording's file; repairs a file that a crash left open. */
  repair(path: string): Promise<RecordedFile>;
}

/**
 * Thrown when the job is gone while it runs: its call was erased, or another process took the job over and finished it.
 * In both cases this process discards its work.
 */
class JobGone extends Error {}

/** Thrown when the lease has ended and another process has claimed the job: that process continues the work. */
class TakenOver extends Error {}

/**
 * Thrown when the job must wait: the file is in the folder of a process that may come back, another copy is not
 * complete in object storage yet, or this process still records the call.
 */
class MustWait extends Error {}

/** A job, its recording, and the path at which the recording's file belongs in this folder. */
interface JobContext {
  job: Job;
  storage: ObjectStorage;
  recording: RecordingRow;
  path: string;
}

/**
 * Performs the durable jobs on recordings and object storage, for a loop of `CallEngine`: `upload`, which moves a
 * recording to storage; `join`, which rebuilds a dead process's recording from the parts that were uploaded during the
 * call; `discard`, which deletes object and parts; `forget`, which deletes a stale local file. A failed attempt is
 * always repeated. An upload with neither a file nor parts ends with a warning in the log.
 * An uploaded file is deleted from the disk only after the storage has verified the whole object.
 */
export class RecordingMoves implements Work<Job> {
  readonly name = 'recording-moves';
  readonly concurrency = 2;
  readonly #dependencies: RecordingMovesDependencies;
  /** The end of the pause after a storage error (epoch milliseconds). */
  #pausedUntil = 0;

  constructor(dependencies: RecordingMovesDependencies) {
    this.#dependencies = dependencies;
  }

  claim(limit: number): Promise<Job[]> {
    const { store, clock, folderId } = this.#dependencies;
    const now = clock.wallMs();
    const leaseUntil = now + LEASE_MS;
    return store.write(jobTransactions.claim, { kinds: STORAGE_KINDS, folderId, now, leaseUntil, limit });
  }

  nextDueAt(): Promise<number | null> {
    const { store, folderId } = this.#dependencies;
    return store.read(jobTransactions.nextDueAt, { kinds: STORAGE_KINDS, folderId });
  }

  /** Performs a job. After a failure, the job is queued again. */
  async perform(job: Job): Promise<void> {
    const { store, clock, log } = this.#dependencies;
    try {
      // `forget` only deletes a local file, so a pause of the storage does not hold it up.
      if (clock.wallMs() < this.#pausedUntil && job.kind !== 'forget')
        return await this.#requeue(job, this.#pausedUntil, 'unreachable');
      await this.#performByKind(job);
      await store.write(jobTransactions.done, claimOf(job));
    } catch (error) {
      if (error instanceof TakenOver) return;
      const at = clock.wallMs();
      const delayMs = retryDelayMs(job.attempts);
      if (error instanceof MustWait)
        return this.#requeue(job, at + Math.max(delayMs, AWAY_GRACE_MS), FILE_ELSEWHERE);
      const failure = error instanceof StorageError ? error.failure : 'failed';
      log.warn({ err: error, call_id: job.call_id, kind: job.kind, failure }, 'object storage failed');
      if (error instanceof StorageError) this.#pausedUntil = at + PAUSE_AFTER_ERROR_MS;
      await this.#requeue(job, at + delayMs, failure);
    }
  }

  /** Performs a job by its kind. A job without a recording has nothing to do. */
  async #performByKind(job: Job): Promise<void> {
    const { store, storage, recordingsDir } = this.#dependencies;
    const recording = await store.read(recordingTransactions.latest, { callId: job.call_id });
    if (recording === null) return;
    const path = join(recordingsDir, recording.file_name);
    if (job.kind === 'forget') return this.#deleteStaleFile(recording, path);
    if (storage === null) throw new StorageError('refused', 'object storage is not set up any more');
    const context = { job, storage, recording, path };
    if (job.kind === 'join') return this.#join(context);
    if (job.kind === 'discard') return this.#discard(context);
    return this.#upload(context);
  }

  /**
   * Uploads a complete recording, then deletes its file and its parts. If the recording is not `ready`, its object in
   * storage is removed instead.
   */
  async #upload(context: JobContext): Promise<void> {
    const { recording, path } = context;
    if (recording.status !== 'ready') return this.#discard(context);
    if (recording.storage === 'local' && !(await this.#uploadFile(context))) return;
    // If the process dies here, the next attempt of the job does the rest.
    await deleteFile(path);
    await this.#removeParts(context);
  }

  /** Uploads the file; false when the recording was erased or its file cannot be found. */
  async #uploadFile(context: JobContext): Promise<boolean> {
    const { store, clock } = this.#dependencies;
    const { job, storage, recording, path } = context;
    const key = keyOf(context);
    const discardArgs = { callId: job.call_id, at: clock.wallMs() };
    try {
      if (!(await fileExists(path)) && !(await this.#rebuildFile(context))) return false;
      await storage.upload(key, path, () => this.#renewLease(job));
    } catch (error) {
      if (!(error instanceof JobGone)) throw error;
      // The erasure's own deletion may have run before these bytes were stored.
      await store.write(recordingTransactions.discard, discardArgs);
      return false;
    }
    if (await store.write(recordingTransactions.uploaded, { callId: recording.call_id, objectKey: key }))
      return true;
    await store.write(recordingTransactions.discard, discardArgs);
    return false;
  }

  /**
   * Rebuilds a missing file from the recording's parts in object storage. False when there are none, or when the
   * recording was deleted meanwhile.
   * @throws MustWait while a process with the file may come back
   */
  async #rebuildFile({ job, storage, recording, path }: JobContext): Promise<boolean> {
    const { store, clock, log, folderId, repair } = this.#dependencies;
    const callId = recording.call_id;
    // Null: a recording of an older version, which may be in any folder.
    const isElsewhere = recording.folder_id !== null && recording.folder_id !== folderId;
    const canJoin = recording.part_bytes > 0 && recording.parts > 0;
    // At first the job waits for a process with the file. If none has come back, the parts are used.
    const hasWaited = job.error === FILE_ELSEWHERE;
    if (isElsewhere && (!hasWaited || !canJoin)) throw new MustWait();
    log.warn({ call_id: callId }, 'the file of a recording is not in the recordings folder');
    if (!canJoin) return false;
    await joinParts({ storage, recording, path }, () => this.#renewLease(job));
    const file = await repair(path);
    const facts = { callId, folderId, ...file, at: clock.wallMs() };
    if (await store.write(recordingTransactions.joinedAgain, facts)) return true;
    await deleteFile(path);
    return false;
  }

  /** Joins the recording of a dead process from its parts, and queues its completion in this folder. */
  async #join({ job, storage, recording, path }: JobContext): Promise<void> {
    const { store, clock, folderId, repair, onRecordingDue } = this.#dependencies;
    if (recording.status !== 'writing') return;
    if (!(await fileExists(path)))
      await joinParts({ storage, recording, path }, () => this.#renewLease(job)).catch((error: unknown) => {
        if (!(error instanceof JobGone)) throw error;
      });
    // No file: the call was erased meanwhile.
    if (!(await fileExists(path))) return;
    const { durationMs } = await repair(path);
    const facts = { callId: job.call_id, folderId, durationMs, at: clock.wallMs() };
    if (await store.write(recordingTransactions.joined, facts)) onRecordingDue();
    else await deleteFile(path);
  }

  /**
   * Deletes the object of a recording in object storage, unless it is the only copy, and the parts, unless they may
   * still be needed.
   */
  async #discard(context: JobContext): Promise<void> {
    const { storage, recording } = context;
    // A recording that was moved to the disk and back to storage needs its object.
    const isOnlyCopy = recording.status === 'ready' && recording.storage === 's3';
    if (!isOnlyCopy) await storage.remove(keyOf(context));
    // While the recording is being written, its parts may still be needed for joining.
    if (recording.status !== 'writing') await this.#removeParts(context);
  }

  /** Deletes the parts until none is left: a process that was considered dead may store another part meanwhile. */
  async #removeParts({ storage, recording: { call_id: callId } }: JobContext): Promise<void> {
    const { store } = this.#dependencies;
    for (;;) {
      const recording = await store.read(recordingTransactions.latest, { callId });
      if (recording === null || recording.parts === 0) return;
      await removeParts(storage, recording);
      await store.write(recordingTransactions.partsRemoved, { callId, parts: recording.parts });
    }
  }

  /**
   * Deletes a local file whose recording was taken over by another folder or deleted. A file with more audio than the
   * stored recording replaces that recording instead.
   */
  async #deleteStaleFile(recording: RecordingRow, path: string): Promise<void> {
    const { store, clock, folderId, repair, isLive } = this.#dependencies;
    if (recording.status === 'deleted') return deleteFile(path);
    const isCurrentFile = recording.storage === 'local' && recording.folder_id === folderId;
    if (isCurrentFile || !(await fileExists(path))) return;
    // The other folder has not uploaded the recording yet, or this process still records the call.
    if (recording.storage === 'local' || isLive(recording.call_id)) throw new MustWait();
    const file = await repair(path);
    if (file.sizeBytes > recording.size_bytes) {
      const facts = { callId: recording.call_id, folderId, ...file, at: clock.wallMs() };
      if (await store.write(recordingTransactions.returned, facts)) return;
    }
    await deleteFile(path);
  }

  /** Extends the lease of a long job. @throws JobGone, TakenOver */
  async #renewLease(job: Job): Promise<void> {
    const { store, clock } = this.#dependencies;
    const leaseUntil = clock.wallMs() + LEASE_MS;
    const state = await store.write(jobTransactions.renewLease, { ...claimOf(job), leaseUntil });
    if (state === 'gone') throw new JobGone();
    if (state === 'taken') throw new TakenOver();
  }

  /** Puts a job back into the queue, due at `dueAt` (epoch milliseconds), with the error of this attempt. */
  #requeue(job: Job, dueAt: number, error: string): Promise<void> {
    const at = this.#dependencies.clock.wallMs();
    return this.#dependencies.store.write(jobTransactions.failed, { ...claimOf(job), dueAt, error, at });
  }
}

/** The key of the recording's object, also before its upload. */
function keyOf({ storage, recording }: JobContext): string {
  return recording.object_key ?? storage.keyOf(recording.file_name);
}

/** Deletes a file; a missing file is no error. */
async function deleteFile(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
