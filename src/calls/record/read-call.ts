import { readRepaired, type Repaired } from '#store/statements/corrupt-row.js';
import type { SqlRow } from '#store/transaction.js';
import { CallRow } from './call.js';

/** Of a call: the calls of a batch are there when all of them are. */
export const IS_THERE = `(batch_id is null or batch_id not in (select id from batches where status = 'loading'))`;

/** Where a call is taken to stand whose row does not say it. */
export const CALL_FALLBACKS = { direction: 'outbound', status: 'queued' };

/** A call as far as its row can be read; for whoever shows or ends it. Nobody may be called by what is left of it. */
export function readCall(row: SqlRow): Repaired<CallRow> {
  return readRepaired(CallRow, row, CALL_FALLBACKS);
}
