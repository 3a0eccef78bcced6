import type { Repaired } from '#store/statements/corrupt-row.js';
import type { Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { setColumns } from '#calls/record/call-rows.js';
import { finishCall, type FinishDetails } from './finish-call.js';
import { readCall } from '#calls/record/read-call.js';

// Reads and ends calls whose row may be corrupt (some columns are unreadable), as after a fault of the disk. Used by
// transactions that must end or settle any call: a call with a corrupt row would never end otherwise.

/**
 * Locks a call until the transaction ends. Returns the call, with replacements for its corrupt columns; null when it
 * does not exist.
 */
export async function lockRepaired(tx: Tx, id: string): Promise<Repaired<CallRow> | null> {
  const row = await tx.get(`select * from calls where id = ?${tx.dialect.forUpdate}`, id);
  return row ? readCall(row) : null;
}

/**
 * Stores the replacements for corrupt columns, if there are any: the row is readable from then on. Returns the call.
 */
export function repairCall(tx: Tx, { value: call, repair }: Repaired<CallRow>): CallRow {
  if (repair) setColumns(tx, call.id, repair);
  return call;
}

/** Stores the repair of a locked call, and ends the call; see {@link finishCall}. */
export async function finishRepaired(
  tx: Tx,
  locked: Repaired<CallRow>,
  details: FinishDetails,
): Promise<CallRow> {
  return finishCall(tx, repairCall(tx, locked), details);
}
