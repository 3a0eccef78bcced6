import { places } from '../store/statements/places.js';
import type { SqlValue, Tx } from '../store/unit.js';
import type { RecipientRow } from './batch.js';

// A number may stand in a batch twice. Whoever has it is called for one of the rows at a time.

/** The condition of rows whose number is still to be called, or being called. */
const IS_OPEN = `status in ('pending', 'paused', 'dialling', 'retry_wait')`;

/** Whether the number of a row is open for another row of the same batch. */
export async function isOpenElsewhere(tx: Tx, recipient: RecipientRow): Promise<boolean> {
  const open = await openRows(tx, recipient.batch_id, 'phone_number = ? and position <> ?', [
    recipient.phone_number,
    recipient.position,
  ]);
  return open.length > 0;
}

/** Of rows that are over, those whose numbers may be called again together: each number once, and none that is open. */
export async function onePerNumber(
  tx: Tx,
  batchId: string,
  rows: readonly RecipientRow[],
): Promise<RecipientRow[]> {
  const numbers = rows.map((row) => row.phone_number);
  const taken = new Set(await openRows(tx, batchId, `phone_number in (${places(numbers)})`, numbers));
  return rows.filter((row) => !taken.has(row.phone_number) && taken.add(row.phone_number));
}

/** The numbers of open rows. Ordered, so that only the rows of that batch are read. */
async function openRows(tx: Tx, batchId: string, where: string, values: SqlValue[]): Promise<string[]> {
  const rows = await tx.all(
    `select phone_number from batch_recipients where batch_id = ? and ${where} and ${IS_OPEN} order by position`,
    batchId,
    ...values,
  );
  return rows.map((row) => String(row['phone_number']));
}
