import type { Tx } from '#store/transaction.js';
import type { RecipientRow } from '#batches/record/batch.js';
import { IS_OPEN } from './waiting-numbers.js';

// A phone number may occur twice in a batch; only one of its rows is called at a time. Used when unreached numbers are
// requeued.

/** SQL condition: the number will be called, or is being called. */
const IS_UNDER_WAY = `(${IS_OPEN} or status = 'dialling')`;

/**
 * Of finished rows, ordered by position, those that may be requeued together: each number once, none that is open, and
 * none that an earlier row of the same request has requeued (since `at`, epoch milliseconds), as requests work in
 * slices.
 */
export async function onePerNumber(
  tx: Tx,
  rows: readonly RecipientRow[],
  at: number,
): Promise<RecipientRow[]> {
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return [];
  // The order makes the database use the index of the batch.
  const busyNumbers = await tx.all(
    `select phone_number from batch_recipients
     where batch_id = ? and (${IS_UNDER_WAY} or (position < ? and updated_at > ?)) and phone_number in (
       select phone_number from batch_recipients where batch_id = ? and position between ? and ?)
     order by position`,
    first.batch_id,
    first.position,
    at,
    first.batch_id,
    first.position,
    last.position,
  );
  const taken = new Set(busyNumbers.map((row) => String(row['phone_number'])));
  return rows.filter((row) => !taken.has(row.phone_number) && taken.add(row.phone_number));
}
