import { join } from 'node:path';
import type { ModuleContext } from '#store/module-context.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { Work } from '#kernel/work/loop.js';
import type { RecordedFile } from '#media/recording/recording.js';
import { TooSlowError } from '#conversation/talk/within.js';
import { questionTextsOf } from '#playbook/definition/playbook-texts.js';
import type { Analyst } from '#analysis/analysis.js';
import type { CallLinks } from '#calls/record/call-event-data.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { jobTransactions } from './job-store.js';
import {
  AWAY_GRACE_MS,
  claimOf,
  FILE_ELSEWHERE,
  LONGEST_AWAY_MS,
  MAX_JOB_ATTEMPTS,
  retryDelayMs,
  AFTER_CALL_KINDS,
  type Job,
} from '#calls/jobs/job.js';
import type { CallRow } from '#calls/record/call.js';
import type { RecordingRow } from '#calls/recordings/recording.js';

/** The lease on a claimed job: the job of a dead process is claimed again after this time. */
const LEASE_MS = 60_000;
/** The interval of the checks whether a dead process with the only audio of a call is back. */
const RECHECK_MS = 600_000;
/** The timeout of a job, shorter than its lease: a job that hangs must not delay other jobs, or the shutdown. */
const TIMEOUT_MS = 45_000;

/** The dependencies of {@link AfterCall}. */
export interface AfterCallParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  analyst: Analyst;
  links: (callId: string) => CallLinks;
  recordingsDir: string;
  /** The id of the recordings folder of this process. */
  folderId: string;
  hasObjectStorage: boolean;
  /** Called when a recording may be due for upload to object storage. */
  onUploadDue(): void;
  /** Completes a recording's file; repairs a file that a crash left open. */
  repair(path: string): Promise<RecordedFile>;
}

/**
 * Performs two kinds of durable jobs, for a loop of `CallEngine`. The job `recording` completes the audio file of a
 * call and announces it; the job `analysis` analyses the talk and announces its summary and transcript.
 */
export class AfterCall implements Work<Job> {
  readonly name = 'after-call';
  readonly concurrency = 4;
  readonly #parts: AfterCallParts;
  readonly #handlers: Record<(typeof AFTER_CALL_KINDS)[number], (job: Job) => Promise<void>> = {
    recording: (job) => this.#completeRecording(job),
    analysis: (job) => this.#analyse(job),
  };

  constructor(parts: AfterCallParts) {
    this.#parts = parts;
  }

  claim(limit: number): Promise<Job[]> {
    const now = this.#parts.clock.wallMs();
    const leaseUntil = now + LEASE_MS;
    const { store, folderId } = this.#parts;
    return store.write(jobTransactions.claim, { kinds: AFTER_CALL_KINDS, folderId, now, leaseUntil, limit });
  }

  nextDueAt(): Promise<number | null> {
    const { store, folderId } = this.#parts;
    return store.read(jobTransactions.nextDueAt, { kinds: AFTER_CALL_KINDS, folderId });
  }

  /** Performs a job. After a failure it is retried, or given up after the last attempt. */
  async perform(job: Job): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      // The counter is above the limit only if the process died in the last attempt: another one could kill it again.
      if (job.attempts > MAX_JOB_ATTEMPTS) throw new Error('the process did not survive this piece of work');
      const handler = this.#handlers[job.kind as (typeof AFTER_CALL_KINDS)[number]];
      await withTimeout(handler(job), { clock, limitMs: TIMEOUT_MS, onTimeout });
    } catch (error) {
      log.error({ err: error, call_id: job.call_id, kind: job.kind }, 'after-call work failed');
      const at = clock.wallMs();
      const dueAt = job.attempts >= MAX_JOB_ATTEMPTS ? null : at + retryDelayMs(job.attempts);
      const name = error instanceof Error ? error.name : 'unknown';
      await store.write(jobTransactions.failed, { ...claimOf(job), dueAt, error: name, at });
    }
  }

  /** Completes the file of a recording. An empty file means that the call has no recording. */
  async #completeRecording(job: Job): Promise<void> {
    const { store, links, recordingsDir, repair, hasObjectStorage } = this.#parts;
    const material = await store.read(jobTransactions.material, { callId: job.call_id });
    const file =
      material?.recording &&
      (await repair(join(recordingsDir, material.recording.file_name)).catch(nullWhenMissing));
    if (material?.recording && !file) return this.#handleMissingFile(job, material.call, material.recording);
    if (!file || file.durationMs === 0) {
      return store.write(jobTransactions.recordingLost, this.#jobEnd(job));
    }
    const { recordingUrl } = links(job.call_id);
    const facts = { recordingUrl, uploads: hasObjectStorage, ...file };
    await store.write(jobTransactions.recordingDone, { ...facts, ...this.#jobEnd(job) });
    if (hasObjectStorage) this.#parts.onUploadDue();
  }

  /**
   * Handles a recording whose file is not in this folder. If the file is in the folder of a dead process, the job
   * waits: half a minute in any case, and up to a day if there are no parts in object storage to use instead. After
   * that, the parts are joined, or the recording is given up.
   */
  async #handleMissingFile(job: Job, call: CallRow, recording: RecordingRow): Promise<void> {
    const { store, clock, log, folderId, hasObjectStorage, onUploadDue } = this.#parts;
    const end = this.#jobEnd(job);
    const isElsewhere = recording.folder_id !== null && recording.folder_id !== folderId;
    const isFirstMiss = isElsewhere && job.error !== FILE_ELSEWHERE;
    const canJoin = hasObjectStorage && recording.part_bytes > 0;
    const sinceCallMs = clock.wallMs() - (call.ended_at ?? clock.wallMs());
    if (isFirstMiss || (isElsewhere && !canJoin && sinceCallMs < LONGEST_AWAY_MS)) {
      const dueAt = end.at + (isFirstMiss ? AWAY_GRACE_MS : RECHECK_MS);
      return store.write(jobTransactions.postpone, {
        ...claimOf(job),
        dueAt,
        error: FILE_ELSEWHERE,
        at: end.at,
      });
    }
    log.warn(
      { call_id: job.call_id, parts: recording.parts },
      canJoin
        ? 'the file of a recording is not here: it is put together from its parts in object storage'
        : 'the file of a recording is not in the recordings folder',
    );
    if (!canJoin) return store.write(jobTransactions.recordingLost, end);
    await store.write(jobTransactions.recordingToJoin, end);
    onUploadDue();
  }

  /** Analyses the talk of a call and stores the result. */
  async #analyse(job: Job): Promise<void> {
    const { store, analyst, links } = this.#parts;
    const material = await store.read(jobTransactions.material, { callId: job.call_id });
    if (!material) throw new Error('the call of this work does not exist');
    const analysis = await analyst.analyse({
      entries: material.entries,
      answeredBy: material.call.ended_reason === 'voicemail' ? 'machine' : 'person',
      endedBy: endedBy(material.call.ended_reason),
      outcome: material.call.outcome,
      askedTexts: questionTextsOf(material.playbook),
      language: material.call.language,
    });
    await store.write(jobTransactions.analysisDone, {
      analysis,
      transcriptUrl: links(job.call_id).transcriptUrl,
      ...this.#jobEnd(job),
    });
  }

  /** The arguments of a transaction that finishes a job now. */
  #jobEnd(job: Job) {
    return { ...claimOf(job), callId: job.call_id, at: this.#parts.clock.wallMs() };
  }
}

/** Who or what ended the talk, for the ended reasons that a summary mentions. */
const ENDED_BY: Partial<Record<EndedReason, 'silence' | 'caller' | 'transfer'>> = {
  silence_timeout: 'silence',
  customer_hangup: 'caller',
  transferred: 'transfer',
};

function endedBy(reason: EndedReason | null): 'silence' | 'caller' | 'transfer' | null {
  return (reason && ENDED_BY[reason]) ?? null;
}

function onTimeout(): never {
  throw new TooSlowError(`not done after ${TIMEOUT_MS} ms`);
}

/** Null for the error of a missing file; any other error is thrown again. */
function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
