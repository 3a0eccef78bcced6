import { purgeBySlices, type Purge } from '#housekeeping/retention-sweep.js';
import type { Store } from '#store/store.js';
import { defineTransactions } from '#store/transaction.js';

const DAY_MS = 86_400_000;

/** The transactions of {@link batchPurges}. */
const batchRetentionTransactions = defineTransactions('batch_retention', {
  /** Deletes up to `limit` slices of rejected rows of batches made before an instant. Returns how many. */
  rejectedRows(tx, { madeBefore, limit }: { madeBefore: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from rejected_rows where (batch_id, slice) in (
         select batch_id, slice from rejected_rows
         where batch_id in (select id from batches where created_at < ?) limit ?)`,
      madeBefore,
      limit,
    );
  },
});

/**
 * The purge of the rejected rows of old batches, for housekeeping: they hold personal data of people who were never
 * called. Without a retention period (null) they stay.
 */
export function batchPurges(store: Store, { callDays }: { callDays: number | null }): Purge[] {
  if (callDays === null) return [];
  return [
    purgeBySlices(({ now, limit }) =>
      store.write(batchRetentionTransactions.rejectedRows, { madeBefore: now - callDays * DAY_MS, limit }),
    ),
  ];
}
