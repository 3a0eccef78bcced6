import { derivedId } from '#kernel/ids/ids.js';
import { insertOnce, postInsert } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';
import type { JobKind } from './job.js';

// Adds after-call jobs (table `jobs`), inside the transactions that make them necessary, such as the end of a call.
// `jobTransactions` claims and finishes the jobs, for their workers. A call has at most one job of a kind.

interface NewJob {
  kind: JobKind;
  callId: string;
  /** When the job is due (epoch milliseconds). */
  at: number;
  /**
   * The id of the recordings folder that holds the job's file: the processes that use this folder take the job first.
   * Null for any process.
   */
  folderId?: string | null;
}

/** Adds a job. The transaction fails if the call has a job of this kind already. */
export function enqueueJob(tx: Tx, job: NewJob): void {
  postInsert(tx, 'jobs', rowOf(job));
}

/** Adds a job; does nothing if the call has a job of this kind already. */
export function enqueueJobOnce(tx: Tx, job: NewJob): void {
  insertOnce(tx, 'jobs', rowOf(job));
}

/** Like {@link enqueueJobOnce}, but replaces a job that has failed for good, so that the work is tried again. */
export function enqueueJobAgain(tx: Tx, job: NewJob): void {
  tx.post(`delete from jobs where call_id = ? and kind = ? and status = 'failed'`, job.callId, job.kind);
  enqueueJobOnce(tx, job);
}

function rowOf(job: NewJob) {
  return {
    id: derivedId('job', job.at, job.callId, job.kind),
    kind: job.kind,
    call_id: job.callId,
    status: 'pending',
    due_at: job.at,
    attempts: 0,
    lease_until: null,
    error: null,
    folder_id: job.folderId ?? null,
    created_at: job.at,
    updated_at: job.at,
  };
}
