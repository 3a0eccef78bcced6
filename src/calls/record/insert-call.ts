import type { AgentLabel, AgentSummary } from '#agents/definitions/agent.js';
import { BUILT_IN } from '#providers/choose-providers.js';
import { flag } from '#store/statements/columns.js';
import { postInsert } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';
import type { CallRow, NewCall } from './call.js';

/** The agent of a new call; its recogniser is used when the call names none. */
export type CallAgent = AgentLabel & Partial<Pick<AgentSummary, 'transcription_provider'>>;

/** Inserts the row of a new call and returns it. Used by `createCall`, which also announces the call. */
export function insertCall(tx: Tx, call: NewCall, agent: CallAgent, at: number): CallRow {
  const row = toRow(call, agent, at);
  postInsert(tx, 'calls', {
    ...row,
    customer_data: JSON.stringify(row.customer_data),
    customer_context: JSON.stringify(row.customer_context),
    metadata: JSON.stringify(row.metadata),
    call_window: row.call_window && JSON.stringify(row.call_window),
    record_call: flag(row.record_call),
    enable_transcription: flag(row.enable_transcription),
    outcome: null,
    analysis: null,
    metrics: null,
    providers: null,
    usage: null,
    cost: null,
  });
  return row;
}

/** The row of a new call: columns that later changes fill are null. */
function toRow(call: NewCall, agent: CallAgent, at: number): CallRow {
  // The columns are listed instead of spread: a spread of an object from another thread costs more time than the rest
  // of this transaction.
  return {
    id: call.id,
    workspace: call.workspace,
    direction: call.direction,
    call_type: 'voice',
    status: call.status,
    agent_id: agent.id,
    agent_name: agent.name,
    language: agent.language,
    to_phone: call.to_phone,
    from_phone: call.from_phone,
    name: call.name,
    provider: call.provider,
    provider_call_id: call.provider_call_id,
    customer_data: call.customer_data,
    customer_context: call.customer_context,
    metadata: call.metadata,
    record_call: call.record_call,
    record_storage: call.record_storage,
    enable_transcription: call.enable_transcription,
    transcription_provider: call.transcription_provider ?? agent.transcription_provider ?? BUILT_IN,
    providers: null,
    timeout_seconds: call.timeout_seconds,
    silence_timeout_seconds: call.silence_timeout_seconds,
    scheduled_time: call.scheduled_time,
    scheduled_at: call.scheduled_at,
    timezone: call.timezone,
    estimated_start_at: call.estimated_start_at,
    call_window: call.call_window,
    started_at: null,
    answered_at: null,
    ended_at: null,
    ended_reason: null,
    fault: null,
    provider_code: null,
    error: null,
    outcome: null,
    summary: null,
    analysis: null,
    metrics: null,
    cost_usd: 0,
    carrier_price_usd: null,
    usage: null,
    cost: null,
    batch_id: call.batch_id,
    schedule_id: call.schedule_id,
    execution_id: call.execution_id,
    parent_call_id: call.parent_call_id ?? null,
    ring_seconds: call.ring_seconds ?? null,
    node_id: call.node_id,
    // The log entry `created` of the new call.
    event_sequence: 1,
    created_at: at,
    updated_at: at,
  };
}
