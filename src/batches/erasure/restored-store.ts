import { defineUnits } from '../../store/unit.js';

const REASON = 'restored from a backup';
/** Long enough for the feeder, which takes such numbers back as soon as the service runs. */
const PUT_OFF_MS = 366 * 86_400_000;

/** Batches that may have called somebody since the backup was made; takes the present instant. */
const UNDER_WAY = `(status in ('initiated', 'in_progress') or (status = 'scheduled' and feed_at <= ?))`;

export const restoredUnits = defineUnits('restored_batches', {
  /**
   * Holds all batches that were under way: whom they have called since the backup was made, nobody knows any more, and
   * nobody is to be called twice. They go on when somebody resumes them. Returns how many.
   */
  async hold(tx, { at }: { at: number }): Promise<number> {
    await tx.run(
      `update dial_attempts set status = 'pending', node_id = null, lease_until = null,
         due_at = due_at + ?, expires_at = expires_at + ?
       where status in ('pending', 'claimed') and call_id in (
         select last_call_id from batch_recipients where status = 'dialling' and batch_id in (
           select id from batches where ${UNDER_WAY}))`,
      PUT_OFF_MS,
      PUT_OFF_MS,
      at,
    );
    return tx.run(
      `update batches set status = 'paused', shown_status = null, pause_reason = ?, feed_at = ?, updated_at = ?
       where ${UNDER_WAY}`,
      REASON,
      at,
      at,
      at,
    );
  },
});
