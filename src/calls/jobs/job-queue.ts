import { insertInto } from '#store/statements/insert.js';
import type { Tx } from '#store/unit.js';
import type { JobKind } from './job.js';

/** Adds a piece of after-call work, due now. */
export async function enqueueJob(
  tx: Tx,
  job: { id: string; kind: JobKind; callId: string; at: number },
): Promise<void> {
  await insertInto(tx, 'jobs', {
    id: job.id,
    kind: job.kind,
    call_id: job.callId,
    status: 'pending',
    due_at: job.at,
    attempts: 0,
    lease_until: null,
    error: null,
    created_at: job.at,
    updated_at: job.at,
  });
}
