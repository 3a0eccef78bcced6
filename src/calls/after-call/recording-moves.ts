import { access, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModuleContext } from '#store/module-context.js';
import type { Work } from '#kernel/work/loop.js';
import type { RecordedFile } from '#media/recording/recording.js';
import { StorageError, type ObjectStorage } from '#object-storage/object-storage.js';
import {
  AWAY_GRACE_MS,
  claimOf,
  FILE_IS_AWAY,
  retryDelayMs,
  STORAGE_KINDS,
  type Job,
} from '#calls/jobs/job.js';
import { jobTransactions } from './job-store.js';
import { joinParts, removeParts } from '#calls/recordings/recording-parts.js';
import { recordingTransactions } from '#calls/recordings/recording-store.js';
import type { RecordingRow } from '#calls/recordings/recording.js';

/** The lease on a move. An upload renews it at every part, so a part must not take longer. */
const LEASE_MS = 120_000;
/**
 * After a storage error this process starts no move for this long; jobs that come due are postponed to the end of it.
 */
const REST_MS = 15_000;

interface MoveParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  recordingsDir: string;
  /** Of that folder. */
  folderId: string;
  storage: ObjectStorage | null;
  /** Whether a call is recorded here at this moment: one that was taken for dead. */
  isLive(callId: string): boolean;
  /** A recording may be to be completed. */
  onRecordingDue(): void;
  repair(path: string): Promise<RecordedFile>;
}

/** Thrown when the call of a recording was erased during the upload. */
class ErasedMeanwhile extends Error {}

/** Thrown when the lease ended and another process has claimed the job: it does the rest. */
class TakenOver extends Error {}

/** The file is in the folder of a process that is gone, and may come back. */
class FileIsAway extends Error {}

/** What a piece of work is about. */
interface Moving {
  job: Job;
  storage: ObjectStorage;
  recording: RecordingRow;
  path: string;
}

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
    const { store, clock, folderId } = this.#parts;
    const now = clock.wallMs();
    const leaseUntil = now + LEASE_MS;
    return store.write(jobTransactions.claim, { kinds: STORAGE_KINDS, folderId, now, leaseUntil, limit });
  }

  nextDueAt(): Promise<number | null> {
    const { store, folderId } = this.#parts;
    return store.read(jobTransactions.nextDueAt, { kinds: STORAGE_KINDS, folderId });
  }

  async perform(job: Job): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      if (clock.wallMs() < this.#restsUntil && job.kind !== 'forget')
        return await this.#postpone(job, this.#restsUntil, 'unreachable');
      await this.#move(job);
      await store.write(jobTransactions.done, claimOf(job));
    } catch (error) {
      if (error instanceof TakenOver) return;
      const at = clock.wallMs();
      const delayMs = retryDelayMs(job.attempts);
      if (error instanceof FileIsAway)
        return this.#postpone(job, at + Math.max(delayMs, AWAY_GRACE_MS), FILE_IS_AWAY);
      const failure = error instanceof StorageError ? error.failure : 'failed';
      log.warn({ err: error, call_id: job.call_id, kind: job.kind, failure }, 'object storage failed');
      if (error instanceof StorageError) this.#restsUntil = at + REST_MS;
      await this.#postpone(job, at + delayMs, failure);
    }
  }

  async #move(job: Job): Promise<void> {
    const { store, storage, recordingsDir } = this.#parts;
    const recording = await store.read(recordingTransactions.stored, { callId: job.call_id });
    if (recording === null) return;
    const path = join(recordingsDir, recording.file_name);
    if (job.kind === 'forget') return this.#forget(recording, path);
    if (storage === null) throw new StorageError('refused', 'object storage is not set up any more');
    const moving = { job, storage, recording, path };
    if (job.kind === 'join') return this.#join(moving);
    if (job.kind === 'discard') return this.#discard(moving);
    return this.#upload(moving);
  }

  async #upload(moving: Moving): Promise<void> {
    const { recording, path } = moving;
    if (recording.status !== 'ready') return this.#discard(moving);
    if (recording.storage === 'local' && !(await this.#store(moving))) return;
    // A process that dies here does it in its next try.
    await forgetFile(path);
    await this.#removeParts(moving);
  }

  /** False where there is nothing to be heard from the object: the recording is gone. */
  async #store(moving: Moving): Promise<boolean> {
    const { store, clock } = this.#parts;
    const { job, storage, recording, path } = moving;
    const key = keyOf(moving);
    const discard = { callId: job.call_id, at: clock.wallMs() };
    try {
      if (!(await isThere(path)) && !(await this.#findFile(moving))) return false;
      await storage.upload(key, path, () => this.#keep(job));
    } catch (error) {
      if (!(error instanceof ErasedMeanwhile)) throw error;
      // The deletion that came with the erasure may have run before these bytes were stored.
      await store.write(recordingTransactions.discard, discard);
      return false;
    }
    if (await store.write(recordingTransactions.uploaded, { callId: recording.call_id, objectKey: key }))
      return true;
    await store.write(recordingTransactions.discard, discard);
    return false;
  }

  /** The file of a recording that waits for its upload is not here: it is put together from what is stored of it. */
  async #findFile({ job, storage, recording, path }: Moving): Promise<boolean> {
    const { store, clock, log, folderId, repair } = this.#parts;
    const callId = recording.call_id;
    const isElsewhere = recording.folder_id !== null && recording.folder_id !== folderId;
    const canJoin = recording.part_bytes > 0 && recording.parts > 0;
    if (isElsewhere && (job.error !== FILE_IS_AWAY || !canJoin)) throw new FileIsAway();
    log.warn({ call_id: callId }, 'the file of a recording is not in the recordings folder');
    if (!canJoin) return false;
    await joinParts({ storage, recording, path }, () => this.#keep(job));
    const file = await repair(path);
    const facts = { callId, folderId, ...file, at: clock.wallMs() };
    if (await store.write(recordingTransactions.joinedAgain, facts)) return true;
    await forgetFile(path);
    return false;
  }

  /** Puts the file of a call whose process died together, to be completed here. */
  async #join({ job, storage, recording, path }: Moving): Promise<void> {
    const { store, clock, folderId, repair, onRecordingDue } = this.#parts;
    if (recording.status !== 'writing') return;
    if (!(await isThere(path)))
      await joinParts({ storage, recording, path }, () => this.#keep(job)).catch((error: unknown) => {
        if (!(error instanceof ErasedMeanwhile)) throw error;
      });
    if (!(await isThere(path))) return;
    const { durationMs } = await repair(path);
    const facts = { callId: job.call_id, folderId, durationMs, at: clock.wallMs() };
    if (await store.write(recordingTransactions.joined, facts)) onRecordingDue();
    else await forgetFile(path);
  }

  /** Deletes what is stored of a recording, as far as it is not the recording itself. */
  async #discard(moving: Moving): Promise<void> {
    const { storage, recording } = moving;
    // A recording that was moved back and forth has its object again.
    const isTheRecording = recording.status === 'ready' && recording.storage === 's3';
    if (!isTheRecording) await storage.remove(keyOf(moving));
    if (recording.status !== 'writing') await this.#removeParts(moving);
  }

  /** As they are by now: the process that was taken for dead may have stored another one. */
  async #removeParts({ storage, recording: { call_id: callId } }: Moving): Promise<void> {
    const { store } = this.#parts;
    for (;;) {
      const recording = await store.read(recordingTransactions.stored, { callId });
      if (recording === null || recording.parts === 0) return;
      await removeParts(storage, recording);
      await store.write(recordingTransactions.partsRemoved, { callId, parts: recording.parts });
    }
  }

  /** Deletes a file whose recording is elsewhere by now, or gone; unless it holds more than was known elsewhere. */
  async #forget(recording: RecordingRow, path: string): Promise<void> {
    const { store, clock, folderId, repair, isLive } = this.#parts;
    const isHere = recording.storage === 'local' && recording.folder_id === folderId;
    if ((isHere && recording.status !== 'deleted') || !(await isThere(path))) return;
    if (recording.status === 'deleted') return forgetFile(path);
    // It is on its way to the storage from the other folder, or still growing here.
    if (recording.storage === 'local' || isLive(recording.call_id)) throw new FileIsAway();
    const file = await repair(path);
    if (file.sizeBytes > recording.size_bytes) {
      const facts = { callId: recording.call_id, folderId, ...file, at: clock.wallMs() };
      if (await store.write(recordingTransactions.returned, facts)) return;
    }
    await forgetFile(path);
  }

  async #keep(job: Job): Promise<void> {
    const { store, clock } = this.#parts;
    const leaseUntil = clock.wallMs() + LEASE_MS;
    const state = await store.write(jobTransactions.keep, { ...claimOf(job), leaseUntil });
    if (state === 'gone') throw new ErasedMeanwhile();
    if (state === 'taken') throw new TakenOver();
  }

  #postpone(job: Job, dueAt: number, error: string): Promise<void> {
    const at = this.#parts.clock.wallMs();
    return this.#parts.store.write(jobTransactions.failed, { ...claimOf(job), dueAt, error, at });
  }
}

function keyOf({ storage, recording }: Moving): string {
  return recording.object_key ?? storage.keyOf(recording.file_name);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function forgetFile(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
