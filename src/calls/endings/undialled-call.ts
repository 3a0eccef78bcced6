import type { Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { finishRepaired, lockRepaired } from './repaired-call.js';
import type { FinishDetails } from './finish-call.js';

/**
 * SQL condition: no carrier was asked for an attempt. The dialler may have claimed it, and then finds its claim lost.
 * An attempt that may have rung before is excluded; see `mayHaveRung`.
 */
export const UNDIALLED = `dial_attempts.status in ('pending', 'claimed') and dial_attempts.dial_deadline_at is null`;

/**
 * Ends a call that waits to be dialled; a dialler that has claimed it finds it over and asks no carrier. Null, with
 * nothing changed, for a call that rings or may ring, or is over.
 */
export async function endUndialled(tx: Tx, callId: string, details: FinishDetails): Promise<CallRow | null> {
  // The lock keeps the dialler from dialling the call.
  const held = await lockRepaired(tx, callId);
  const attempt = await tx.get(`select id from dial_attempts where call_id = ? and ${UNDIALLED}`, callId);
  return held && attempt ? finishRepaired(tx, held, details) : null;
}
