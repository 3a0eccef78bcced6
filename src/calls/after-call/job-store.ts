import { recordEvents } from '#webhooks/deliveries/record-events.js';
import type { CallAnalysis } from '#analysis/analysis.js';
import { Problem } from '#kernel/errors/errors.js';
import { placeholders } from '#store/statements/placeholders.js';
import { LIMIT } from '#store/statements/limit.js';
import { defineTransactions, noSubject, shareCommits, type SqlRow, type Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import type { AgentRow } from '#agents/definitions/agent.js';
import { requireAgentOfCall } from '#agents/definitions/agent-rows.js';
import { findCall, lockCall, ofCall, requireCall } from '#calls/record/call-rows.js';
import { recordingData } from './after-call-data.js';
import { enqueueJobAgain, enqueueJob } from '#calls/jobs/job-queue.js';
import { BOUND_KIND, Job, type JobClaim, type JobKind } from '#calls/jobs/job.js';
import { callEventId } from '#calls/record/call-progress.js';
import { storeAnalysis } from './store-analysis.js';
import { discardFile, discardObject } from '#calls/recordings/discard-object.js';
import { gapsWhenCut, RecordingRow } from '#calls/recordings/recording.js';
import { entriesOf, type TranscriptEntry } from '#calls/talk/talk-rows.js';

// The queue of after-call jobs (table `jobs`): claiming, finishing and retrying them, and the results that they store.
// Used by `AfterCall`, `RecordingMoves` and `CarrierPrices`.

/** The counter of finished after-call jobs, by kind and result (`done` or `failed`). */
export const JOBS_FINISHED = 'after_call_jobs';

/**
 * SQL condition: a process may perform a job. A job with a folder belongs to the processes of that folder. Another
 * process may take it if the folder has no living process, except for a job that must be done in its folder
 * ({@link BOUND_KIND}). One parameter: the id of the recordings folder of the process.
 */
const IS_FOR_FOLDER = `(folder_id is null or folder_id = ? or (kind <> '${BOUND_KIND}'
  and folder_id not in (select folder_id from nodes where folder_id is not null)))`;

/** SQL: the job is held by a claim. Its parameters are those of {@link JobClaim}. */
const IS_CLAIMED = `id = ? and claims = ? and status = 'running'`;

/** The claimed job to finish at `at` (epoch milliseconds), and its call. */
interface JobEnd extends JobClaim {
  callId: string;
  at: number;
}

/** The input of an after-call job. */
interface Material {
  call: CallRow;
  /** The current playbook of the call's agent. */
  playbook: AgentRow['playbook'];
  entries: TranscriptEntry[];
  recording: RecordingRow | null;
}

/** The transactions on after-call jobs. Those with a {@link JobClaim} change nothing if the claim is lost. */
export const jobTransactions = defineTransactions('jobs', {
  /** Claims due jobs, and running jobs whose lease has expired: their process has died or hangs. */
  async claim(
    tx,
    args: { kinds: readonly JobKind[]; folderId: string; now: number; leaseUntil: number; limit: number },
  ): Promise<Job[]> {
    const rows = await tx.all(
      `update jobs set status = 'running', attempts = attempts + 1, claims = claims + 1, lease_until = ?, updated_at = ?
       where id in (
         select id from jobs
         where kind in (${placeholders(args.kinds)}) and ${IS_FOR_FOLDER}
           and ((status = 'pending' and due_at <= ?) or (status = 'running' and lease_until <= ?))
         order by due_at, id ${LIMIT}${tx.dialect.skipLocked}
       ) returning *`,
      args.leaseUntil,
      args.now,
      ...args.kinds,
      args.folderId,
      args.now,
      args.now,
      args.limit,
    );
    return rows.map((row) => Job.parse(row)).sort((a, b) => (a.id < b.id ? -1 : 1));
  },

  /** When the next job of these kinds is due, or its lease expires (epoch milliseconds); null without a job. */
  async nextDueAt(
    tx,
    { kinds, folderId }: { kinds: readonly JobKind[]; folderId: string },
  ): Promise<number | null> {
    const isOurs = `kind in (${placeholders(kinds)}) and ${IS_FOR_FOLDER}`;
    const row = await tx.get(
      `select min(due_at) as due_at from (
         select min(due_at) as due_at from jobs where status = 'pending' and ${isOurs}
         union all
         select min(lease_until) from jobs where status = 'running' and ${isOurs}) as times`,
      ...kinds,
      folderId,
      ...kinds,
      folderId,
    );
    return typeof row?.['due_at'] === 'number' ? row['due_at'] : null;
  },

  /**
   * Extends the lease of a claimed job. `taken`: another process has claimed the job. `gone`: the job was deleted,
   * because its call was erased or another process has finished the job.
   */
  async renewLease(tx, args: JobClaim & { leaseUntil: number }): Promise<'kept' | 'taken' | 'gone'> {
    const changed = await tx.run(
      `update jobs set lease_until = ? where ${IS_CLAIMED}`,
      args.leaseUntil,
      args.jobId,
      args.claims,
    );
    if (changed > 0) return 'kept';
    return (await tx.get('select id from jobs where id = ?', args.jobId)) ? 'taken' : 'gone';
  },

  /** Finishes a job that stores no result of its own. */
  async done(tx, claim: JobClaim): Promise<void> {
    await finishJob(tx, claim);
  },

  /** Ends a failed attempt: the job is retried at `dueAt`, or given up when `dueAt` is null. */
  async failed(tx, args: JobClaim & { dueAt: number | null; error: string; at: number }): Promise<void> {
    const rows = await tx.all(
      `update jobs set status = ?, due_at = coalesce(?, due_at), error = ?, lease_until = null, updated_at = ?
       where ${IS_CLAIMED} returning kind`,
      args.dueAt === null ? 'failed' : 'pending',
      args.dueAt,
      args.error,
      args.at,
      args.jobId,
      args.claims,
    );
    if (args.dueAt === null) countFinished(tx, rows, 'failed');
  },

  /** Postpones a job that waits for a dead process to come back with its file. The attempt does not count as failed. */
  async postpone(tx, args: JobClaim & { dueAt: number; error: string; at: number }): Promise<void> {
    await tx.run(
      `update jobs set status = 'pending', due_at = ?, error = ?, attempts = attempts - 1, lease_until = null,
         updated_at = ?
       where ${IS_CLAIMED}`,
      args.dueAt,
      args.error,
      args.at,
      args.jobId,
      args.claims,
    );
  },

  /** Reads the input of a job; null when the call does not exist. */
  async material(tx, args: { callId: string }): Promise<Material | null> {
    const call = await findCall(tx, args.callId);
    if (!call) return null;
    const row = await tx.get(`select * from recordings where call_id = ? and status <> 'deleted'`, call.id);
    return {
      call,
      playbook: (await requireAgentOfCall(tx, call.agent_id)).playbook,
      entries: await entriesOf(tx, [call.id]),
      recording: row ? RecordingRow.parse(row) : null,
    };
  },

  /**
   * Marks a recording as ready, announces `call.recording_ready`, and queues the upload if the call asks for storage.
   */
  async recordingDone(
    tx,
    args: JobEnd & {
      sizeBytes: number;
      durationMs: number;
      recordingUrl: string;
      /** Whether the service has object storage to upload to. */
      uploads: boolean;
    },
  ): Promise<void> {
    const call = await findCall(tx, args.callId);
    if (!call || !(await finishJob(tx, args))) return;
    const changed = await tx.run(
      `update recordings set status = 'ready', size_bytes = ?, duration_ms = ?
       where call_id = ? and status = 'writing'`,
      args.sizeBytes,
      args.durationMs,
      args.callId,
    );
    if (changed === 0) return;
    // A crash loses the last audio before it reaches the disk, and the dead process could not store that gap.
    if (call.ended_reason === 'server_crash') await storeMissingEnd(tx, args);
    const row = await tx.get(`select * from recordings where call_id = ? and status = 'ready'`, args.callId);
    const recording = RecordingRow.parse(row);
    const data = recordingData(recording, args.recordingUrl);
    if (args.uploads && call.record_storage === 's3') {
      const { folder_id: folderId } = recording;
      enqueueJob(tx, { kind: 'upload', callId: call.id, at: args.at, folderId });
    }
    const { workspace, id: subjectId } = call;
    const { at } = args;
    const type = 'call.recording_ready';
    await recordEvents(tx, [{ id: callEventId(call, type, { at }), workspace, type, subjectId, at, data }]);
  },

  /**
   * Finishes the job of a recording whose file is missing, and queues the job that joins the file from its parts in
   * object storage. When that is done, another job completes the recording.
   */
  async recordingToJoin(tx, args: JobEnd): Promise<void> {
    if (!(await finishJob(tx, args))) return;
    enqueueJob(tx, { kind: 'join', callId: args.callId, at: args.at });
  },

  /** Marks a recording as deleted whose file is empty or missing, and queues the deletion of its file and parts. */
  async recordingLost(tx, args: JobEnd): Promise<void> {
    if (!(await finishJob(tx, args))) return;
    const rows = await tx.all(
      `update recordings set status = 'deleted' where call_id = ? and status = 'writing' returning *`,
      args.callId,
    );
    for (const recording of rows.map((row) => RecordingRow.parse(row))) {
      await discardFile(tx, recording, args.at);
      if (recording.parts > 0) await discardObject(tx, args);
    }
  },

  /**
   * Queues another analysis of an ended call.
   * @throws Problem `call_not_found`, `invalid_state`
   */
  async analyseAgain(tx, args: { workspace: string; id: string; at: number }): Promise<CallRow> {
    await lockCall(tx, args.id);
    const call = await requireCall(tx, args);
    if (call.ended_at === null) throw new Problem('invalid_state', 'The call has not ended yet.');
    if (!call.enable_transcription || call.answered_at === null)
      throw new Problem('invalid_state', 'There are no words of this call that could be analysed.');
    enqueueJobAgain(tx, { kind: 'analysis', callId: call.id, at: args.at });
    return call;
  },

  /** Stores the analysis of a call and records its events. */
  async analysisDone(tx, args: JobEnd & { analysis: CallAnalysis; transcriptUrl: string }): Promise<void> {
    const call = await lockCall(tx, args.callId);
    if (!call || !(await finishJob(tx, args))) return;
    await storeAnalysis(tx, call, await entriesOf(tx, [call.id]), args);
  },
});

// Transactions about different calls may share a commit, which saves the database work.
shareCommits(jobTransactions, {
  nextDueAt: noSubject,
  material: noSubject,
  recordingDone: ofCall,
  recordingLost: ofCall,
  analysisDone: ofCall,
});

/** Deletes a claimed job that is done; false if the claim is lost: another process has finished or claimed the job. */
async function finishJob(tx: Tx, claim: JobClaim): Promise<boolean> {
  const rows = await tx.all(`delete from jobs where ${IS_CLAIMED} returning kind`, claim.jobId, claim.claims);
  countFinished(tx, rows, 'done');
  return rows.length === 1;
}

/** Counts jobs in the metric {@link JOBS_FINISHED}. */
function countFinished(tx: Tx, jobs: readonly SqlRow[], result: 'done' | 'failed'): void {
  for (const { kind } of jobs) tx.count({ name: JOBS_FINISHED, labels: { kind: String(kind), result } });
}

/** Adds the gap after the last stored audio (`durationMs`) to a ready recording. */
async function storeMissingEnd(
  tx: Tx,
  { callId, durationMs }: { callId: string; durationMs: number },
): Promise<void> {
  const row = await tx.get(`select * from recordings where call_id = ? and status = 'ready'`, callId);
  const gaps = JSON.stringify(gapsWhenCut(RecordingRow.parse(row).gaps, durationMs));
  await tx.run(`update recordings set gaps = ? where call_id = ? and status = 'ready'`, gaps, callId);
}
