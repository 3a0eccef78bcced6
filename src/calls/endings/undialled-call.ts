import type { Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { finishRepaired, lockRepaired } from './repaired-call.js';
import type { FinishDetails } from './finish-call.js';

// Calls that were not dialled yet: the condition, and the end of one that is cancelled. Used by the code that cancels
// or changes waiting calls: batches, schedules and suppressions.

/**
 * SQL condition on dial attempts: no phone can have rung. The attempt waits, or the dialler has claimed it without
 * sending a dial request. `dial_deadline_at` is set while an earlier dial request may have reached the phone.
 */
export const UNDIALLED = `dial_attempts.status in ('pending', 'claimed') and dial_attempts.dial_deadline_at is null`;

/**
 * Ends a call that waits to be dialled; a dialler that has claimed it finds it over and asks no carrier. Null, with
 * nothing changed, for a call that rings or may ring, or is over.
 */
export async function endUndialled(tx: Tx, callId: string, details: FinishDetails): Promise<CallRow | null> {
  // The lock keeps the dialler from dialling the call.
  const locked = await lockRepaired(tx, callId);
  const attempt = await tx.get(`select id from dial_attempts where call_id = ? and ${UNDIALLED}`, callId);
  return locked && attempt ? finishRepaired(tx, locked, details) : null;
}
