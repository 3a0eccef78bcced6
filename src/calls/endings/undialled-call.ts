import type { Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { finishRepaired, lockRepaired } from './repaired-call.js';
import type { FinishDetails } from './finish-call.js';

/**
 * An attempt to dial that no carrier has heard of, also one that the dialler has in hand: it finds that it has lost it.
 * One that a carrier may have heard of before is none: see `mayHaveRung`.
 */
export const UNDIALLED = `dial_attempts.status in ('pending', 'claimed') and dial_attempts.dial_deadline_at is null`;

/**
 * Ends a call that waits to be dialled: whoever has it in hand finds it over, and asks no carrier for it. Null for one
 * that rings or may ring by now, or is over; then nothing is done.
 */
export async function endUndialled(tx: Tx, callId: string, details: FinishDetails): Promise<CallRow | null> {
  // Nobody dials it while it is held.
  const held = await lockRepaired(tx, callId);
  const attempt = await tx.get(`select id from dial_attempts where call_id = ? and ${UNDIALLED}`, callId);
  return held && attempt ? finishRepaired(tx, held, details) : null;
}
