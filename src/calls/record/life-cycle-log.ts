import type { SqlValue, Tx } from '#store/transaction.js';
import { textsByRows } from '#store/statements/placeholders.js';
import type { CallRow } from './call.js';
import type { CallStatus } from './call-machine.js';

// The life-cycle log of a call (table `call_events`): its changes of status, and what else happened in it. Read with
// `GET /api/calls/{call_id}/events`.

/** The types of log entries, each with a description of its `data`, which the OpenAPI document shows. */
export const LIFE_CYCLE_TYPES = {
  created: 'nothing',
  state_changed: 'with the last status, its `ended_reason`',
  lookup_failed: 'the `reason`',
  transferred: 'the number (`to`)',
  transfer_begun: 'the number (`to`) and the call to it (`leg_call_id`)',
  transfer_joined: 'the number (`to`) and the call to it (`leg_call_id`)',
  transfer_failed: 'the number (`to`), the `error`, and the call to it (`leg_call_id`) if there was one',
  call_back_planned: 'the `schedule_id` and the time (`scheduled_at`)',
  tool_called: 'the `tool`, its `status` and `latency_ms`',
  model_failed: 'the `provider`, its `model` and the `message`',
  provider_replaced:
    'the `leg` (`hearing` or `speaking`), the provider that failed (`from`) and its `failure`, the one that took over (`to`), and whether a sentence was cut (`in_sentence`)',
  providers_substituted:
    'the configured providers that took the place of those the agent names (`substituted`)',
  language_changed: 'the `language` in which the talk continues',
  steered: 'what a person did (`action`) and with which key (`by`)',
  recording_joined: 'the length (`duration_ms`)',
  recording_refused: 'the `reason`',
} as const;
export type LifeCycleType = keyof typeof LIFE_CYCLE_TYPES;

/**
 * One entry of the log. `from` and `to` are the statuses before and after a change; `from` is null for a new call, and
 * both are null in entries about something other than the status.
 */
export interface LifeCycleEntry {
  /** The number of the entry in the log of its call, which grows by one. */
  sequence: number;
  type: LifeCycleType;
  from: CallStatus | null;
  to: CallStatus | null;
  at: number;
  data: Readonly<Record<string, unknown>>;
}

/** An entry about something other than the status, such as `tool_called`. */
export interface CallNote extends Pick<LifeCycleEntry, 'type' | 'at' | 'data'> {
  callId: string;
}

/**
 * Adds an entry about something other than the status to the log, inside a transaction that has locked the call.
 * Returns the call with its new sequence number.
 */
export function noteOnCall(tx: Tx, call: CallRow, note: Omit<CallNote, 'callId'>): CallRow {
  const { type, at, data } = note;
  const sequence = call.event_sequence + 1;
  logLifeCycle(tx, call.id, { sequence, type, from: null, to: null, at, data });
  tx.post('update calls set event_sequence = ? where id = ?', sequence, call.id);
  return { ...call, event_sequence: sequence };
}

/**
 * {@link noteOnCall} for a write that is repeated when its outcome is unknown: an entry of the same type, time and data
 * is not added again.
 */
export async function noteOnce(tx: Tx, call: CallRow, note: Omit<CallNote, 'callId'>): Promise<void> {
  const { type, at, data } = note;
  const known = await tx.get(
    'select 1 from call_events where call_id = ? and type = ? and at = ? and data = ?',
    call.id,
    type,
    at,
    JSON.stringify(data),
  );
  if (!known) noteOnCall(tx, call, note);
}

/** True if the log of a call has an entry of this type. */
export async function hasEntry(tx: Tx, callId: string, type: LifeCycleType): Promise<boolean> {
  const row = await tx.get('select 1 from call_events where call_id = ? and type = ? limit 1', callId, type);
  return row !== undefined;
}

/** Adds entries to the log in one statement: at least one, at most as many as one move has. */
export function logLifeCycle(tx: Tx, callId: string, ...entries: LifeCycleEntry[]): void {
  const values: SqlValue[] = [];
  for (const { sequence, type, from, to, at, data } of entries) {
    values.push(callId, sequence, type, from, to, at, JSON.stringify(data));
  }
  tx.post(insertEntries(entries.length), ...values);
}

/** The SQL that inserts a number of log entries, with seven columns each. */
const insertEntries = textsByRows(
  (rows) =>
    `insert into call_events (call_id, sequence, type, from_status, to_status, at, data) values ${rows}`,
  7,
);
