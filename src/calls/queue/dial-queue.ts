import { postInsert } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';
import type { Lane } from './dial-lane.js';

// Puts calls into the dial queue (table `dial_attempts`), inside the transaction that creates a call or releases it for
// dialling. `Dialler` claims the attempts that are due.

/** How long after its due time a call may still be dialled (milliseconds), if `NewAttempt.graceMs` does not say. */
export const DIAL_GRACE_MS = 300_000;

/**
 * How long the policy may defer a call in total, in milliseconds; a call that would have to wait longer is not made.
 */
export const MAX_DEFERRAL_MS = 86_400_000;

/** A new dial attempt. Instants are in epoch milliseconds. */
export interface NewAttempt {
  /** The reference that the carrier receives. */
  id: string;
  callId: string;
  lane: Lane;
  dueAt: number;
  /** When the call was wanted, if the policy has deferred it already. Default `dueAt`. */
  wantedAt?: number;
  /** How long after `dueAt` the call expires: it then ends as `expired`. Default {@link DIAL_GRACE_MS}. */
  graceMs?: number;
  /** The current time. */
  at: number;
}

/** Puts a call into the dial queue. A call has one attempt at a time; a retry after its end is another call. */
export function enqueueAttempt(tx: Tx, attempt: NewAttempt): void {
  postInsert(tx, 'dial_attempts', {
    id: attempt.id,
    call_id: attempt.callId,
    // Always 1, see above.
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
