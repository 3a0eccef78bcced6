import type { Repaired } from '#store/statements/corrupt-row.js';
import type { Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { setColumns } from '#calls/record/call-rows.js';
import { finishCall, type FinishDetails } from './finish-call.js';
import { readCall } from '#calls/record/read-call.js';

/**
 * A call whatever is wrong with its row, held against others until the transaction ends; null when it does not exist.
 * Whoever ends calls takes them so: one that cannot be read would go on for ever.
 */
export async function lockRepaired(tx: Tx, id: string): Promise<Repaired<CallRow> | null> {
  const row = await tx.get(`select * from calls where id = ?${tx.dialect.forUpdate}`, id);
  return row ? readCall(row) : null;
}

/** From then on its row can be read. */
export async function repairCall(tx: Tx, { value: call, repair }: Repaired<CallRow>): Promise<CallRow> {
  if (repair) await setColumns(tx, call.id, repair);
  return call;
}

/** Ends a call whatever is wrong with its row; see {@link finishCall}. */
export async function finishRepaired(
  tx: Tx,
  held: Repaired<CallRow>,
  details: FinishDetails,
): Promise<CallRow> {
  return finishCall(tx, await repairCall(tx, held), details);
}
