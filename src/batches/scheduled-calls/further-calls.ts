import { z } from 'zod';
import { createCall } from '../../calls/record/create-call.js';
import type { CallRow } from '../../calls/record/call.js';
import type { Moment } from '../../calls/record/call-progress.js';
import { lockCall } from '../../calls/record/call-rows.js';
import { enqueueAttempt } from '../../calls/queue/dial-queue.js';
import { plannedFor } from '../../calls/requests/draft-call.js';
import { Problem } from '../../kernel/errors.js';
import { update } from '../../store/statements/update.js';
import { UNDIALLED } from '../../calls/endings/undialled-call.js';
import { insertOnce } from '../../store/statements/insert.js';
import type { Tx } from '../../store/unit.js';

/** What is kept of the handle of a single call. Instants are epoch milliseconds. */
export const QueuedCallHandle = z.object({
  call_id: z.string(),
  /** The word that a client chose for its status. */
  shown_status: z.string().nullable(),
  deleted_at: z.int().nullable(),
  /** The caller id of the next attempt, where another one is wanted. */
  next_from_phone: z.string().nullable(),
  /** The time of the next attempt, asked for while the last one was not over: as it was written, and its instant. */
  next_time: z.string().nullable(),
  next_due_at: z.int().nullable(),
});
export type QueuedCallHandle = z.infer<typeof QueuedCallHandle>;

/** So long after its time a call may begin that had to wait for the one before; later it ends as `expired`. */
const LATE_AT_MOST_MS = 3_600_000;

/** Nothing is wanted besides what was. */
export const NO_NEXT = { next_from_phone: null, next_time: null, next_due_at: null } as const;

/** The same, as the columns that an update sets. */
export const SET_NO_NEXT = Object.keys(NO_NEXT)
  .map((column) => `${column} = null`)
  .join(', ');

/** A handle, and the call that it stands for now: the last that was made for it. */
export interface HeldHandle {
  kept: QueuedCallHandle;
  latest: CallRow;
  /** Whether that one has not been dialled: no carrier has heard of it. */
  isWaiting: boolean;
  /** Whether it is forgotten whom its first call, or its last, was for. */
  isErased: boolean;
}

/** Fresh ids for a call that may have to be made, and for its place in the queue. */
export interface FurtherIds {
  callId: string;
  dialId: string;
}

/**
 * A handle, held against others until the transaction ends: whoever wants another attempt holds the first call, so that
 * two of them never make two. Null when there is no such call.
 */
export async function holdHandle(tx: Tx, handleId: string): Promise<HeldHandle | null> {
  const first = await lockCall(tx, handleId);
  if (!first) return null;
  const row = await tx.get('select * from queued_call_handles where call_id = ?', handleId);
  const blank = { call_id: handleId, shown_status: null, deleted_at: null, ...NO_NEXT };
  const further = await tx.get(
    'select call_id from further_calls where handle_id = ? order by attempt desc limit 1',
    handleId,
  );
  const latest = (further && (await lockCall(tx, String(further['call_id'])))) || first;
  const undialled = await tx.get(
    `select id from dial_attempts where call_id = ? and ${UNDIALLED}`,
    latest.id,
  );
  return {
    kept: row ? QueuedCallHandle.parse(row) : blank,
    latest,
    isWaiting: latest.status === 'queued' || (undialled !== undefined && latest.ended_at === null),
    isErased: first.to_phone === '' || latest.to_phone === '',
  };
}

/** Keeps something of a handle. */
export async function keepHandle(
  tx: Tx,
  callId: string,
  changes: Partial<Omit<QueuedCallHandle, 'call_id'>>,
): Promise<void> {
  await insertOnce(tx, 'queued_call_handles', { call_id: callId });
  await update(tx, 'queued_call_handles', { set: changes, where: { call_id: callId } });
}

/**
 * Calls the number of a handle once more, whose last call is over: with a further call, which has all that the last one
 * was to have. Each of them is dialled once, and ends once.
 * @throws Problem `invalid_state` where it is not known any more whom to call
 */
export async function callAgain(
  tx: Tx,
  { kept, latest, isErased }: HeldHandle,
  wish: { ids: FurtherIds; from: string | null; time: { written: string; at: number }; moment: Moment },
): Promise<CallRow> {
  if (isErased) throw new Problem('invalid_state', 'The number is erased: it cannot be called again.');
  const { ids, from, time, moment } = wish;
  const call = {
    ...latest,
    ...plannedFor(time.at),
    id: ids.callId,
    status: 'queued' as const,
    from_phone: from ?? latest.from_phone,
    scheduled_time: time.written,
    provider_call_id: null,
    node_id: null,
  };
  const agent = { id: latest.agent_id, name: latest.agent_name, language: latest.language };
  const further = await createCall(tx, { call, agent, moment });
  await tx.run(
    `insert into further_calls (call_id, handle_id, attempt)
     select ?, ?, coalesce(max(attempt), 0) + 1 from further_calls where handle_id = ?`,
    further.id,
    kept.call_id,
    kept.call_id,
  );
  // Never beside the call before; and nobody is phoned hours late because its end was heard of so late.
  const freeAt = Math.max(time.at, latest.ended_at ?? time.at);
  const dueAt = freeAt <= time.at + LATE_AT_MOST_MS ? freeAt : time.at;
  await enqueueAttempt(tx, { id: ids.dialId, callId: further.id, lane: 'single', dueAt, at: moment.at });
  await keepHandle(tx, kept.call_id, { ...NO_NEXT, shown_status: null });
  return further;
}
