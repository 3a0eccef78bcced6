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

/** What is known of a finished conversation's quality; kept on the call once it is over. */
export const StoredMetrics = z.object({
  transcription_latency_ms: z.number(),
  response_latency_ms: z.number(),
  audio_quality: z.number(),
  speaker_changes: z.number().int(),
});
export type StoredMetrics = z.infer<typeof StoredMetrics>;

/** What a call was about; its summary has a column of its own. */
export const storedAnalysis = callAnalysis.omit({ summary: true }).meta({
  id: 'CallInsights',
  description: 'What a call was about, besides its summary.',
});

/** See `Outcome` of the thinking port, and `CallOutcome`. */
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
  /** Of the agent, as it was when the call was made (BCP 47). */
  language: text,
  to_phone: text,
  from_phone: text,
  name: text.nullable(),
  /** The carrier, or `websocket` for a stream that a client opened by itself. */
  provider: text,
  provider_call_id: text.nullable(),
  customer_data: jsonColumn(FreeForm),
  customer_context: jsonColumn(FreeForm),
  metadata: jsonColumn(FreeForm),
  record_call: flagColumn,
  record_storage: text,
  enable_transcription: flagColumn,
  transcription_provider: text,
  /** Those that it was answered with; null before that. */
  providers: jsonColumn(ChosenProviders).nullable(),
  timeout_seconds: z.number().int(),
  silence_timeout_seconds: z.number().int(),
  scheduled_time: text.nullable(),
  scheduled_at: instant.nullable(),
  /**
   * The zone that was named for `scheduled_time`, or in which it was read; null for an instant without one, or where
   * its owner keeps the time.
   */
  timezone: text.nullable(),
  estimated_start_at: instant,
  /** When it may be dialled, where its maker said so. */
  call_window: jsonColumn(CallWindow).nullable(),
  /** When it began to be dialled. */
  started_at: instant.nullable(),
  answered_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** Set when the call begins to end; the first reason stays. */
  ended_reason: z.enum(ENDED_REASON_NAMES).nullable(),
  fault: text.nullable(),
  /** The carrier's own code for the end, as given. */
  provider_code: text.nullable(),
  error: text.nullable(),
  /** What the agent made of the talk; the analysis starts from it. */
  outcome: jsonColumn(StoredOutcome).nullable(),
  summary: text.nullable(),
  analysis: jsonColumn(storedAnalysis).nullable(),
  metrics: jsonColumn(StoredMetrics).nullable(),
  /** What is known of the cost. */
  cost_usd: z.number(),
  /** What the carrier itself says that it cost; null while it has said nothing. */
  carrier_price_usd: z.number().nullable(),
  /** What it has used, and what each leg of it cost; null until its talk is over. */
  usage: jsonColumn(CallUsage).nullable(),
  cost: jsonColumn(CallCost).nullable(),
  /** What the call belongs to; null for a call of its own. Each try at a person is a call. */
  batch_id: text.nullable(),
  schedule_id: text.nullable(),
  execution_id: text.nullable(),
  /** The call whose caller is to be joined with whom this one is to; null for a call of its own. */
  parent_call_id: text.nullable(),
  /** How long its phone may ring; null for as long as any. */
  ring_seconds: z.number().int().nullable(),
  /** The process that carries the call; null before it is dialled. */
  node_id: text.nullable(),
  event_sequence: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type CallRow = z.infer<typeof CallRow>;

/** Everything that a created call starts with. */
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
  /** Null: that of the agent, else the built-in one. */
  transcription_provider: string | null;
  /** For a call that was made for another one: see {@link CallRow}. */
  parent_call_id?: string | null;
  ring_seconds?: number | null;
};

/** Whether a batch or a schedule waits to be told of the call's end. */
export function hasOwner(call: Pick<CallRow, 'batch_id' | 'execution_id'>): boolean {
  return call.batch_id !== null || call.execution_id !== null;
}

/** Seconds of conversation so far, counted from the answer; 0 before it. */
export function durationSeconds(call: Pick<CallRow, 'answered_at' | 'ended_at'>, now: number): number {
  if (call.answered_at === null) return 0;
  return Math.max(0, Math.floor(((call.ended_at ?? now) - call.answered_at) / 1000));
}
