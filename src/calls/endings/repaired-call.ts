import type { Repaired } from '#store/statements/corrupt-row.js';
import type { Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { setColumns } from '#calls/record/call-rows.js';
import { finishCall, type FinishDetails } from './finish-call.js';
import { readCall } from '#calls/record/read-call.js';

/**
 * Locks a call until the transaction ends, also one with a corrupt row; null when it does not exist. Every transaction
 * that ends calls reads them this way: a call with an unreadable row would never end otherwise.
 */
export async function lockRepaired(tx: Tx, id: string): Promise<Repaired<CallRow> | null> {
  const row = await tx.get(`select * from calls where id = ?${tx.dialect.forUpdate}`, id);
  return row ? readCall(row) : null;
}

/** Stores the repair of a corrupt row, which is readable from then on. */
export function repairCall(tx: Tx, { value: call, repair }: Repaired<CallRow>): CallRow {
  if (repair) setColumns(tx, call.id, repair);
  return call;
}

/** Ends a call, also one with a corrupt row; see {@link finishCall}. */
export async function finishRepaired(
  tx: Tx,
  held: Repaired<CallRow>,
  details: FinishDetails,
): Promise<CallRow> {
  return finishCall(tx, repairCall(tx, held), details);
}
