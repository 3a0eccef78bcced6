import { mendingOf } from '../store/mending.js';
import type { SqlValue, Tx } from '../store/unit.js';
import { CallRow } from './call.js';
import { setColumns } from './call-store.js';
import { finishCall, type FinishDetails } from './finish-call.js';

/** Where a call is taken to stand whose row does not say it. */
const WORDS = { direction: 'outbound', status: 'queued' };

/** A call that is held, and what its row needs in order to be read. */
export interface HeldCall {
  call: CallRow;
  /** The columns that cannot be read, and what is to stand there instead; null for a sound row. */
  mending: Readonly<Record<string, SqlValue>> | null;
}

/**
 * The call, held against others until the transaction ends, whatever is wrong with its row: what cannot be read of it
 * is blank. Null when it does not exist. For whoever ends it; nobody may be called by what is left of it.
 */
export async function lockDamaged(tx: Tx, id: string): Promise<HeldCall | null> {
  const row = await tx.get(`select * from calls where id = ?${tx.dialect.forUpdate}`, id);
  if (!row) return null;
  const sound = CallRow.safeParse(row);
  if (sound.success) return { call: sound.data, mending: null };
  const mending = mendingOf(CallRow.shape, row, WORDS);
  return { call: CallRow.parse({ ...row, ...mending }), mending };
}

/** {@link finishCall} for a call in any state of repair: from then on its row can be read. */
export async function finishDamaged(
  tx: Tx,
  { call, mending }: HeldCall,
  details: FinishDetails,
): Promise<CallRow> {
  if (mending) await setColumns(tx, call.id, mending);
  return finishCall(tx, call, details);
}
