import { readRepaired, type Repaired } from '#store/statements/corrupt-row.js';
import type { SqlRow } from '#store/transaction.js';
import { CallRow } from './call.js';

/** SQL condition on calls that the API shows: the calls of a batch are visible once all of them are loaded. */
export const IS_VISIBLE = `(batch_id is null or batch_id not in (select id from batches where status = 'loading'))`;

/** The values assumed for a row in which they cannot be read. */
export const CALL_FALLBACKS = { direction: 'outbound', status: 'queued' };

/** A call as far as its row can be read, for showing or ending it. A call from a corrupt row must not be dialled. */
export function readCall(row: SqlRow): Repaired<CallRow> {
  return readRepaired(CallRow, row, CALL_FALLBACKS);
}
