import { z } from 'zod';
import { UNDIALLED } from '#calls/endings/undialled-call.js';
import type { CallRow } from '#calls/record/call.js';
import { lockCall } from '#calls/record/call-rows.js';
import { insertOnce } from '#store/statements/insert.js';
import { update } from '#store/statements/update.js';
import type { Tx } from '#store/unit.js';

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
  /** In which `next_time` was read; null where it is an instant by itself. */
  next_timezone: z.string().nullable(),
});
export type QueuedCallHandle = z.infer<typeof QueuedCallHandle>;

/** Nothing is wanted besides what was. */
export const NO_NEXT = {
  next_from_phone: null,
  next_time: null,
  next_due_at: null,
  next_timezone: null,
} as const;

/** A handle, and the call that it stands for now: the last that was made for it. */
export interface HeldHandle {
  kept: QueuedCallHandle;
  latest: CallRow;
  /** Whether that one has not been dialled: no carrier has heard of it. */
  isWaiting: boolean;
  /** Whether it is forgotten whom its first call, or its last, was for. */
  isErased: boolean;
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
