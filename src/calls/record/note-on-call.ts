import type { Tx } from '#store/transaction.js';
import { logLifeCycle, type LifeCycleEntry } from './call-progress.js';
import type { CallRow } from './call.js';

/** An entry about a call for its life-cycle log. */
export interface CallNote extends Pick<LifeCycleEntry, 'type' | 'at' | 'data'> {
  callId: string;
}

/**
 * Adds an entry about something other than the status, such as `tool_called`, to the life-cycle log of a call, inside a
 * transaction that has locked the call. Returns the call with its new sequence number.
 */
export function noteOnCall(tx: Tx, call: CallRow, note: Omit<CallNote, 'callId'>): CallRow {
  const { type, at, data } = note;
  const sequence = call.event_sequence + 1;
  logLifeCycle(tx, call.id, { sequence, type, from: null, to: null, at, data });
  tx.post('update calls set event_sequence = ? where id = ?', sequence, call.id);
  return { ...call, event_sequence: sequence };
}
