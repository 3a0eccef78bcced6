import type { SqlValue, Tx } from '#store/transaction.js';
import type { RecipientRow } from '#batches/record/batch.js';
import { IS_OPEN } from './waiting-numbers.js';

// A number may occur twice in a batch; only one of its rows is called at a time.

/** SQL condition: the number will be called, or is being called. */
const IS_UNDER_WAY = `(${IS_OPEN} or status = 'dialling')`;

/** True if the number is open in another row of the batch. */
export async function isOpenElsewhere(tx: Tx, recipient: RecipientRow): Promise<boolean> {
  const { batch_id: batchId, phone_number: number, position } = recipient;
  const open = await numbersWhere(tx, batchId, `${IS_UNDER_WAY} and phone_number = ? and position <> ?`, [
    number,
    position,
  ]);
  return open.length > 0;
}

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
  const busyNumbers = await numbersWhere(
    tx,
    first.batch_id,
    `(${IS_UNDER_WAY} or (position < ? and updated_at > ?)) and phone_number in (
       select phone_number from batch_recipients where batch_id = ? and position between ? and ?)`,
    [first.position, at, first.batch_id, first.position, last.position],
  );
  const taken = new Set(busyNumbers);
  return rows.filter((row) => !taken.has(row.phone_number) && taken.add(row.phone_number));
}

/** Phone numbers of some rows. The order makes the database use the index of the batch. */
async function numbersWhere(tx: Tx, batchId: string, where: string, values: SqlValue[]): Promise<string[]> {
  const rows = await tx.all(
    `select phone_number from batch_recipients where batch_id = ? and ${where} order by position`,
    batchId,
    ...values,
  );
  return rows.map((row) => String(row['phone_number']));
}
