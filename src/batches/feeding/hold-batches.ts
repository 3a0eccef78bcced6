import type { SqlValue, Tx } from '../../store/unit.js';

/** Long enough for the feeder, which takes such numbers back as soon as the service runs. */
const PUT_OFF_MS = 366 * 86_400_000;

/**
 * Pauses batches, and keeps those of their numbers from being dialled that stand in the dialler's queue already. They
 * go on when somebody resumes them.
 * @param which a condition on `batches`, with its values
 * @returns how many
 */
export async function holdBatches(
  tx: Tx,
  args: { at: number; reason: string; which: string; values: readonly SqlValue[] },
): Promise<number> {
  const { at, reason, which, values } = args;
  await tx.run(
    `update dial_attempts set status = 'pending', node_id = null, lease_until = null,
       due_at = due_at + ?, expires_at = expires_at + ?
     where status in ('pending', 'claimed') and call_id in (
       select last_call_id from batch_recipients where status = 'dialling' and batch_id in (
         select id from batches where ${which}))`,
    PUT_OFF_MS,
    PUT_OFF_MS,
    ...values,
  );
  return tx.run(
    `update batches set status = 'paused', shown_status = null, pause_reason = ?, feed_at = ?, updated_at = ?
     where ${which}`,
    reason,
    at,
    at,
    ...values,
  );
}
