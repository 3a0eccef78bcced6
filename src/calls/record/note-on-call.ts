import type { Tx } from '#store/transaction.js';
import { logLifeCycle, type LifeCycleEntry } from './call-progress.js';
import type { CallRow } from './call.js';

/** Adds an entry to the life-cycle log without a change of status; returns the updated call. */
export function noteOnCall(
  tx: Tx,
  call: CallRow,
  note: Pick<LifeCycleEntry, 'type' | 'at' | 'data'>,
): CallRow {
  const { type, at, data } = note;
  const sequence = call.event_sequence + 1;
  logLifeCycle(tx, call.id, { sequence, type, from: null, to: null, at, data });
  tx.post('update calls set event_sequence = ? where id = ?', sequence, call.id);
  return { ...call, event_sequence: sequence };
}
