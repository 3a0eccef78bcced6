import { insertInto } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';
import type { Lane } from './dial-lane.js';

/** How long after its time a call may still be dialled, in milliseconds, unless something else is asked for. */
export const DIAL_GRACE_MS = 300_000;

/** How far from its time the policy may put a call, all in all; who would have to wait longer is not called. */
export const DEFERRED_AT_MOST_MS = 86_400_000;

/** What puts a call into the dialler's queue. Instants are epoch milliseconds. */
export interface NewAttempt {
  /** The reference that the carrier will see. */
  id: string;
  callId: string;
  lane: Lane;
  dueAt: number;
  /** When it was wanted, where the policy has put it off already. Default `dueAt`. */
  wantedAt?: number;
  /** So long after `dueAt` it is not dialled any more: the call ends as `expired`. Default {@link DIAL_GRACE_MS}. */
  graceMs?: number;
  at: number;
}

/** Puts a call into the dialler's queue. A call is in it once at most: whoever tries again makes another call. */
export async function enqueueAttempt(tx: Tx, attempt: NewAttempt): Promise<void> {
  await insertInto(tx, 'dial_attempts', {
    id: attempt.id,
    call_id: attempt.callId,
    attempt: 1,
    status: 'pending',
    lane: attempt.lane,
    due_at: attempt.dueAt,
    wanted_at: attempt.wantedAt ?? attempt.dueAt,
    expires_at: attempt.dueAt + (attempt.graceMs ?? DIAL_GRACE_MS),
    dial_deadline_at: null,
    node_id: null,
    lease_until: null,
    look_ups: 0,
    updated_at: attempt.at,
  });
}
