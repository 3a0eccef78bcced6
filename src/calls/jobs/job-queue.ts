import { insertInto, insertOnce } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';
import type { JobKind } from './job.js';

// Adds after-call jobs, inside the transactions that make them necessary. `jobTransactions` claims and finishes them.

interface NewJob {
  id: string;
  kind: JobKind;
  callId: string;
  at: number;
  /** The recordings folder that holds the job's file: its processes take the job first. Null for any process. */
  folderId?: string | null;
}

/** Adds an after-call job, due now. */
export async function enqueueJob(tx: Tx, job: NewJob): Promise<void> {
  await insertInto(tx, 'jobs', rowOf(job));
}

/** Adds an after-call job, unless the call has an unfinished job of this kind. */
export async function enqueueOnce(tx: Tx, job: NewJob): Promise<void> {
  await insertOnce(tx, 'jobs', rowOf(job));
}

/** Adds an after-call job once more, after an earlier one was done or has failed. An unfinished job stays as it is. */
export async function enqueueAgain(tx: Tx, job: NewJob): Promise<void> {
  await tx.run(`delete from jobs where call_id = ? and kind = ? and status = 'failed'`, job.callId, job.kind);
  await enqueueOnce(tx, job);
}

function rowOf(job: NewJob) {
  return {
    id: job.id,
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
