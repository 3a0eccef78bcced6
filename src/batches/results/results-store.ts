import { z } from 'zod';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { StoredOutcome } from '#calls/record/call.js';
import { FreeForm } from '#kernel/input/free-form.js';
import { jsonColumn } from '#store/statements/columns.js';
import { defineTransactions } from '#store/transaction.js';
import { requireBatch } from '#batches/record/batch-rows.js';
import { nextRejectedRows } from '#batches/record/rejected-rows.js';
import { BatchRow, RecipientRow } from '#batches/record/batch.js';

/** The columns of a number's last call. */
const LastCall = z.object({
  last_started_at: z.int().nullable(),
  last_answered_at: z.int().nullable(),
  last_ended_at: z.int().nullable(),
  last_ended_reason: z.enum(ENDED_REASON_NAMES).nullable(),
  last_cost_usd: z.number(),
  last_summary: z.string().nullable(),
  last_outcome: jsonColumn(StoredOutcome).nullable(),
  customer_data: jsonColumn(FreeForm),
  metadata: jsonColumn(FreeForm),
});

/** A number with the result of its last call. */
const ResultRow = RecipientRow.and(LastCall);
export type ResultRow = z.infer<typeof ResultRow>;

/** The transactions of `resultsTable`. */
export const resultTransactions = defineTransactions('results', {
  /**
   * The next numbers of a batch after a position, with their results, in the order of the request; without those that
   * were deleted. @throws Problem `batch_not_found`
   */
  async page(
    tx,
    args: { workspace: string; batchId: string; afterPosition: number; limit: number },
  ): Promise<{ batch: BatchRow; rows: ResultRow[] }> {
    const batch = await requireBatch(tx, { workspace: args.workspace, id: args.batchId });
    const rows = await tx.all(
      `select batch_recipients.*, calls.started_at as last_started_at, calls.answered_at as last_answered_at,
         calls.ended_at as last_ended_at, calls.ended_reason as last_ended_reason, calls.cost_usd as last_cost_usd,
         calls.summary as last_summary, calls.outcome as last_outcome, calls.customer_data, calls.metadata
       from batch_recipients join calls on calls.id = batch_recipients.last_call_id
       where batch_recipients.batch_id = ? and position > ? and batch_recipients.deleted_at is null
       order by position limit ?`,
      batch.id,
      args.afterPosition,
      args.limit,
    );
    return { batch, rows: rows.map((row) => ResultRow.parse(row)) };
  },

  /** The next slice of the rows that were rejected when the batch was imported; see `nextRejectedRows`. */
  rejected(tx, args: { batchId: string; after: number }) {
    return nextRejectedRows(tx, args.batchId, args.after);
  },
});
