import { z } from 'zod';
import { FreeForm } from '#kernel/input/free-form.js';
import { insertInto } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';

/** The cells of a rejected row as they were written. A field of an unexpected type counts as empty. */
export const RejectedInput = z.object({
  phone_number: z.string().catch('').default(''),
  name: z.string().nullable().catch(null).default(null),
  customer_data: FreeForm.catch({}).default({}),
  metadata: FreeForm.catch({}).default({}),
});
export type RejectedInput = z.infer<typeof RejectedInput>;

/**
 * An invalid row of an import, left out of the batch and reported in its results: its position (1 is the first row of
 * data), field, problem and cells. Rows that an earlier release stored have no cells.
 */
export const RejectedRow = z.object({
  row: z.int(),
  field: z.string(),
  message: z.string(),
  input: RejectedInput.default(() => RejectedInput.parse({})),
});
export type RejectedRow = z.infer<typeof RejectedRow>;

/**
 * Stores the rejected rows of a batch, each slice as one row of the table.
 * @param slices JSON arrays of {@link RejectedRow}s, a few hundred each, as text
 */
export async function insertRejectedRows(tx: Tx, batchId: string, slices: readonly string[]): Promise<void> {
  for (const [slice, rejected] of slices.entries())
    await insertInto(tx, 'rejected_rows', { batch_id: batchId, slice, rejected });
}

/** The slice of rejected rows after another (-1 for the first), in the order of the request; null at the end. */
export async function nextRejectedRows(
  tx: Tx,
  batchId: string,
  after: number,
): Promise<{ slice: number; rows: RejectedRow[] } | null> {
  const row = await tx.get(
    'select slice, rejected from rejected_rows where batch_id = ? and slice > ? order by slice limit 1',
    batchId,
    after,
  );
  if (!row) return null;
  return {
    slice: Number(row['slice']),
    rows: z.array(RejectedRow).parse(JSON.parse(String(row['rejected']))),
  };
}
