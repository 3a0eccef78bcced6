import { type SqlValue, type Tx, defineTransactions } from '#store/transaction.js';
import { queuedCallSql, withdraw } from '#batches/dispatch/call-number.js';

/**
 * Pauses batches and takes their queued calls back in one transaction, so that no call is dialled in between. Used
 * after a downtime and after a restore. It uses plain SQL and parses no rows, so that corrupt rows cannot stop it.
 * @param args.which the SQL condition on `batches`, with the values of its placeholders
 * @returns how many batches were paused
 */
export async function holdBatches(
  tx: Tx,
  args: { at: number; reason: string; which: string; values: readonly SqlValue[] },
): Promise<number> {
  const { at, reason, which, values } = args;
  const batches = await tx.all(
    `select id from batches where ${which} order by id${tx.dialect.forUpdate}`,
    ...values,
  );
  for (const row of batches) {
    const batchId = String(row['id']);
    const taken = await recallAll(tx, batchId, at);
    // `shown_status`: null shows `paused` instead of a word that a client chose. `feed_at`: the dispatcher looks at the
    // batch at once. `waiting`, `in_flight`: the counters of its numbers follow the calls that were taken back.
    await tx.run(
      `update batches set status = 'paused', shown_status = null, pause_reason = ?, feed_at = ?, updated_at = ?,
         waiting = waiting + ?, in_flight = in_flight - ?
       where id = ?`,
      reason,
      at,
      at,
      taken,
      taken,
      batchId,
    );
  }
  return batches.length;
}

/**
 * Takes the queued calls of a batch back: their numbers wait again, as before the attempt. Returns how many.
 */
async function recallAll(tx: Tx, batchId: string, at: number): Promise<number> {
  const queued = await tx.all(
    `select position, last_call_id from batch_recipients
     where batch_id = ? and status = 'dialling' and exists (${queuedCallSql('batch_recipients.last_call_id')})
     order by position`,
    batchId,
  );
  let taken = 0;
  for (const { position, last_call_id: lastId } of queued) {
    if (!(await withdraw(tx, String(lastId), at))) continue;
    // A number whose last call is its first one (`call_id`) has not been dialled yet: it is pending, not a retry.
    taken += await tx.run(
      `update batch_recipients set attempts = attempts - 1, updated_at = ?,
         status = case when last_call_id = call_id then 'pending' else 'retry_wait' end
       where batch_id = ? and position = ?`,
      at,
      batchId,
      Number(position),
    );
  }
  return taken;
}

/** SQL condition: a batch may have made calls since the backup. Its parameter is now (epoch milliseconds). */
const UNDER_WAY = `(status in ('initiated', 'in_progress') or (status = 'scheduled' and feed_at <= ?))`;

/** The transaction of the commands `restore` and `hold`. */
export const restoredTransactions = defineTransactions('restored_batches', {
  /**
   * Pauses the batches that may have made calls between a backup and its restore: these calls are unknown, and must not
   * be repeated. Returns how many batches were paused.
   */
  async hold(tx, { at }: { at: number }): Promise<number> {
    return holdBatches(tx, { at, reason: 'restored from a backup', which: UNDER_WAY, values: [at] });
  },
});
