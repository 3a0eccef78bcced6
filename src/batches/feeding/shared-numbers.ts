import type { SqlValue, Tx } from '#store/unit.js';
import type { RecipientRow } from '#batches/record/batch.js';
import { IS_OPEN } from './waiting-numbers.js';

// A number may stand in a batch twice. Whoever has it is called for one of the rows at a time.

/** The condition of rows whose number is still to be called, or being called. */
const IS_UNDER_WAY = `(${IS_OPEN} or status = 'dialling')`;

/** Whether the number of a row is open for another row of the same batch. */
export async function isOpenElsewhere(tx: Tx, recipient: RecipientRow): Promise<boolean> {
  const { batch_id: batchId, phone_number: number, position } = recipient;
  const open = await numbersWhere(tx, batchId, `${IS_UNDER_WAY} and phone_number = ? and position <> ?`, [
    number,
    position,
  ]);
  return open.length > 0;
}

/**
 * Of rows that are over, in the order of their positions, those whose numbers may be called again together: each number
 * once, and none that is open, or was called since `at` (epoch milliseconds) for a row before them: whoever asks takes
 * the rows of a batch in slices, and those before have had their turn.
 */
export async function onePerNumber(
  tx: Tx,
  rows: readonly RecipientRow[],
  at: number,
): Promise<RecipientRow[]> {
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return [];
  const inReach = await numbersWhere(
    tx,
    first.batch_id,
    `(${IS_UNDER_WAY} or (position < ? and updated_at > ?)) and phone_number in (
       select phone_number from batch_recipients where batch_id = ? and position between ? and ?)`,
    [first.position, at, first.batch_id, first.position, last.position],
  );
  const taken = new Set(inReach);
  return rows.filter((row) => !taken.has(row.phone_number) && taken.add(row.phone_number));
}

/** The numbers of some rows. Ordered, so that only the rows of that batch are read. */
async function numbersWhere(tx: Tx, batchId: string, where: string, values: SqlValue[]): Promise<string[]> {
  const rows = await tx.all(
    `select phone_number from batch_recipients where batch_id = ? and ${where} order by position`,
    batchId,
    ...values,
  );
  return rows.map((row) => String(row['phone_number']));
}
