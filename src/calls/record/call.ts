import { z } from 'zod';
import { callAnalysis } from '#analysis/analysis.js';
import { flagColumn, jsonColumn } from '#store/statements/columns.js';
import { ChosenProviders } from '#providers/choose-providers.js';
import { CallWindow } from '#policy/hours/call-window.js';
import { callMachine, type CallStatus } from './call-machine.js';
import { CallCost, CallUsage } from './call-cost.js';
import { ENDED_REASON_NAMES } from './ended-reason.js';
import { StoredFollowUp } from './follow-up.js';
import { FreeForm } from '#kernel/input/free-form.js';

// A call as its row in the table `calls` holds it: the type that the transactions of the calls module read and return.

/** The measured quality of a conversation, stored at the end of its call: means, and the audio quality from 0 to 1. */
export const StoredMetrics = z.object({
  transcription_latency_ms: z.number(),
  response_latency_ms: z.number(),
  audio_quality: z.number(),
  speaker_changes: z.number().int(),
});
export type StoredMetrics = z.infer<typeof StoredMetrics>;

/** The analysis of a call; the summary has a column of its own. */
export const storedAnalysis = callAnalysis.omit({ summary: true }).meta({
  id: 'CallInsights',
  description: 'What a call was about, besides its summary.',
});

/** The stored form of `CallOutcome`, the result of a talk. `answers` and `said` are by the names of the questions. */
export const StoredOutcome = z.object({
  intent: z.string().nullable(),
  resolutionAchieved: z.boolean().nullable(),
  answers: z.record(z.string(), z.string()),
  said: z.record(z.string(), z.string()).nullish(),
  summary: z.string().nullish(),
  followUp: StoredFollowUp.nullish(),
});

const text = z.string();
const instant = z.number().int();

/** A call as its row holds it; instants are epoch milliseconds. */
export const CallRow = z.object({
  id: text,
  workspace: text,
  direction: z.enum(['outbound', 'inbound']),
  call_type: text,
  status: z.enum(callMachine.states as [CallStatus, ...CallStatus[]]),
  agent_id: text,
  agent_name: text,
  /** The agent's language when the call was made (BCP 47). */
  language: text,
  to_phone: text,
  from_phone: text,
  name: text.nullable(),
  /** The carrier, or `websocket` for a client's own stream. */
  provider: text,
  /** The carrier's own id of the call; null before the carrier has accepted it. */
  provider_call_id: text.nullable(),
  /** Data for the agent's texts; under the same name, `customer_context` wins. */
  customer_data: jsonColumn(FreeForm),
  customer_context: jsonColumn(FreeForm),
  metadata: jsonColumn(FreeForm),
  record_call: flagColumn,
  /** Where the recording is kept after the call: `local` or `s3`. */
  record_storage: text,
  enable_transcription: flagColumn,
  transcription_provider: text,
  /** The providers of the talk; null before its audio begins. */
  providers: jsonColumn(ChosenProviders).nullable(),
  /** The longest time from the answer to the end. */
  timeout_seconds: z.number().int(),
  /** The longest silence of the caller during the talk. */
  silence_timeout_seconds: z.number().int(),
  /** The requested time as written; null if none was named. */
  scheduled_time: text.nullable(),
  /** When the call is to be dialled; null for a call that was wanted at once. */
  scheduled_at: instant.nullable(),
  /**
   * The IANA zone that the request named, or in which `scheduled_time` was read; null for an instant without a zone, or
   * when the call's owner keeps the time.
   */
  timezone: text.nullable(),
  /** When the phone is expected to ring: soon after the call is due. */
  estimated_start_at: instant,
  /** When the call may be dialled, if its request limits that. */
  call_window: jsonColumn(CallWindow).nullable(),
  /** When dialling began. */
  started_at: instant.nullable(),
  answered_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** Set when the call begins to end; the first reason stays. */
  ended_reason: z.enum(ENDED_REASON_NAMES).nullable(),
  /** The side that caused an unwanted end; see `Fault`. */
  fault: text.nullable(),
  /** The carrier's own code for the end, as given. */
  provider_code: text.nullable(),
  /** The ended reason as a text for people; null for a normal end. */
  error: text.nullable(),
  /** The dialogue manager's result of the talk; the analysis starts from it. */
  outcome: jsonColumn(StoredOutcome).nullable(),
  summary: text.nullable(),
  analysis: jsonColumn(storedAnalysis).nullable(),
  /** Null until the end of the call, and after a call without a talk. */
  metrics: jsonColumn(StoredMetrics).nullable(),
  /** The sum of the known costs. */
  cost_usd: z.number(),
  /** The carrier's own price; null while the carrier has not reported one. */
  carrier_price_usd: z.number().nullable(),
  /** The usage, and the cost of each leg; null until the talk is over. */
  usage: jsonColumn(CallUsage).nullable(),
  cost: jsonColumn(CallCost).nullable(),
  /** The owner of the call; null for a single call. Every attempt to reach a person is a call. */
  batch_id: text.nullable(),
  schedule_id: text.nullable(),
  execution_id: text.nullable(),
  /** For a transfer call: the call of its caller; null for any other. */
  parent_call_id: text.nullable(),
  /** How long the phone may ring; null for the default time. */
  ring_seconds: z.number().int().nullable(),
  /** The process that carries the call; null before it is dialled. */
  node_id: text.nullable(),
  /** The sequence number of the last entry in the call's life-cycle log. */
  event_sequence: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type CallRow = z.infer<typeof CallRow>;

/** The columns that the creator of a call sets. */
export type NewCall = Pick<
  CallRow,
  | 'id'
  | 'workspace'
  | 'direction'
  | 'status'
  | 'to_phone'
  | 'from_phone'
  | 'name'
  | 'provider'
  | 'provider_call_id'
  | 'customer_data'
  | 'customer_context'
  | 'metadata'
  | 'record_call'
  | 'record_storage'
  | 'enable_transcription'
  | 'timeout_seconds'
  | 'silence_timeout_seconds'
  | 'scheduled_time'
  | 'scheduled_at'
  | 'timezone'
  | 'estimated_start_at'
  | 'call_window'
  | 'batch_id'
  | 'schedule_id'
  | 'execution_id'
  | 'node_id'
> & {
  /** Null: the agent's provider, else the built-in one. */
  transcription_provider: string | null;
  /** For a transfer call: see {@link CallRow}. */
  parent_call_id?: string | null;
  ring_seconds?: number | null;
};

/** True if a batch or a schedule receives the end of the call. */
export function hasOwner(call: Pick<CallRow, 'batch_id' | 'execution_id'>): boolean {
  return call.batch_id !== null || call.execution_id !== null;
}

/** Seconds from the answer to the end, or to `now` (epoch milliseconds) while the call goes on; 0 before the answer. */
export function durationSeconds(call: Pick<CallRow, 'answered_at' | 'ended_at'>, now: number): number {
  if (call.answered_at === null) return 0;
  return Math.max(0, Math.floor(((call.ended_at ?? now) - call.answered_at) / 1000));
}
