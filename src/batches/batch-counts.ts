import { defineTransactions } from '#store/transaction.js';
import { batchStatistics, type BatchStatistics } from '#batches/record/batch-statistics.js';
import { requireBatch } from '#batches/record/batch-rows.js';

/** The progress of a batch in counts, for the live event `batch.progress` of the console. */
export interface BatchCounts extends Omit<BatchStatistics, 'cost_usd'> {
  batch_id: string;
  status: string;
  skipped_calls: number;
  cancelled_calls: number;
  pending_calls: number;
  live_calls: number;
}

/** The transaction that reads these counts. */
export const batchCountTransactions = defineTransactions('batch_counts', {
  /** @throws Problem `batch_not_found` */
  async read(tx, args: { workspace: string; id: string }): Promise<BatchCounts> {
    const batch = await requireBatch(tx, args);
    const { cost_usd: _cost, ...statistics } = batchStatistics(batch);
    return {
      batch_id: batch.id,
      status: batch.status,
      ...statistics,
      skipped_calls: batch.skipped,
      cancelled_calls: batch.cancelled,
      pending_calls: batch.waiting,
      live_calls: batch.in_flight,
    };
  },
});
