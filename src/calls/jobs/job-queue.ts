import { derivedId } from '#kernel/ids/ids.js';
import { insertOnce, postInsert } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';
import type { JobKind } from './job.js';

interface NewJob {
  kind: JobKind;
  callId: string;
  at: number;
  /** Of the processes that it is for, as long as there are any; any process where there is none. */
  folderId?: string | null;
}

/** Adds an after-call job, due now. */
export function enqueueJob(tx: Tx, job: NewJob): void {
  postInsert(tx, 'jobs', rowOf(job));
}

/** Adds a piece of after-call work unless it waits already. */
export function enqueueOnce(tx: Tx, job: NewJob): void {
  insertOnce(tx, 'jobs', rowOf(job));
}

/** Adds a piece of after-call work that was done, or given up, once before; what is under way goes on as it is. */
export function enqueueAgain(tx: Tx, job: NewJob): void {
  tx.post(`delete from jobs where call_id = ? and kind = ? and status = 'failed'`, job.callId, job.kind);
  enqueueOnce(tx, job);
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
