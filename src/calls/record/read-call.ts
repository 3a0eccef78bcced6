import { readRepaired, type Repaired } from '#store/statements/corrupt-row.js';
import type { SqlRow } from '#store/transaction.js';
import { CallRow } from './call.js';

// Reads rows of calls for the API and for the ends of calls: corrupt rows are read as far as possible. The API hides
// the calls of batches that are still being loaded.

/** SQL condition on calls that the API shows: the calls of a batch are visible once all of them are loaded. */
export const IS_VISIBLE = `(batch_id is null or batch_id not in (select id from batches where status = 'loading'))`;

/** The values for unreadable columns of a corrupt row, for columns that can be neither null nor empty. */
export const CALL_FALLBACKS = { direction: 'outbound', status: 'queued' };

/**
 * A call for showing or ending it, with replacements for the unreadable columns of a corrupt row. A call with
 * replacements must not be dialled: its number or agent may be wrong.
 */
export function readCall(row: SqlRow): Repaired<CallRow> {
  return readRepaired(CallRow, row, CALL_FALLBACKS);
}
