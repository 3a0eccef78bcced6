import { z } from 'zod';
import { UNDIALLED } from '#calls/endings/undialled-call.js';
import type { CallRow } from '#calls/record/call.js';
import { lockCall } from '#calls/record/call-rows.js';
import { insertOnce } from '#store/statements/insert.js';
import { update } from '#store/statements/update.js';
import type { Tx } from '#store/transaction.js';

/** Stored state of a single call's handle. Instants are epoch milliseconds. */
export const QueuedCallHandle = z.object({
  call_id: z.string(),
  /** The status word that a client chose. */
  shown_status: z.string().nullable(),
  deleted_at: z.int().nullable(),
  /** Caller id of the next attempt, if changed. */
  next_from_phone: z.string().nullable(),
  /** Time of the next attempt, requested before the end of the last: as written, and its instant. */
  next_time: z.string().nullable(),
  next_due_at: z.int().nullable(),
  /** The zone in which `next_time` was read; null for an instant. */
  next_timezone: z.string().nullable(),
});
export type QueuedCallHandle = z.infer<typeof QueuedCallHandle>;

/** No next attempt. */
export const NO_NEXT = {
  next_from_phone: null,
  next_time: null,
  next_due_at: null,
  next_timezone: null,
} as const;

/** A locked handle with its latest call. */
export interface HeldHandle {
  kept: QueuedCallHandle;
  latest: CallRow;
  /** True if the latest call was not sent to a carrier. */
  isWaiting: boolean;
  /** True if the number of its first or latest call was erased. */
  isErased: boolean;
}

/**
 * Locks a handle by its first call, so that two requests never make two further calls. Null if there is no such call.
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

/** Stores changes of a handle. */
export async function keepHandle(
  tx: Tx,
  callId: string,
  changes: Partial<Omit<QueuedCallHandle, 'call_id'>>,
): Promise<void> {
  insertOnce(tx, 'queued_call_handles', { call_id: callId });
  await update(tx, 'queued_call_handles', { set: changes, where: { call_id: callId } });
}
