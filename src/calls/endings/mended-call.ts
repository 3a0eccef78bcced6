import type { Mended } from '#store/statements/mending.js';
import type { Tx } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { setColumns } from '#calls/record/call-rows.js';
import { finishCall, type FinishDetails } from './finish-call.js';
import { readCall } from '#calls/record/read-call.js';

/**
 * A call whatever is wrong with its row, held against others until the transaction ends; null when it does not exist.
 * Whoever ends calls takes them so: one that cannot be read would go on for ever.
 */
export async function lockMended(tx: Tx, id: string): Promise<Mended<CallRow> | null> {
  const row = await tx.get(`select * from calls where id = ?${tx.dialect.forUpdate}`, id);
  return row ? readCall(row) : null;
}

/** From then on its row can be read. */
export async function mendCall(tx: Tx, { value: call, mending }: Mended<CallRow>): Promise<CallRow> {
  if (mending) await setColumns(tx, call.id, mending);
  return call;
}

/** Ends a call whatever is wrong with its row; see {@link finishCall}. */
export async function finishMended(tx: Tx, held: Mended<CallRow>, details: FinishDetails): Promise<CallRow> {
  return finishCall(tx, await mendCall(tx, held), details);
}
