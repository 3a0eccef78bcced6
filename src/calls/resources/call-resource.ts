import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { callAnswers } from '#analysis/analysis.js';
import { durationSeconds, storedAnalysis, type CallRow } from '#calls/record/call.js';
import { ChosenProviders } from '#providers/choose-providers.js';
import { FreeForm } from '#kernel/input/free-form.js';
import type { CallLinks } from '#calls/record/call-event-data.js';
import { callMachine } from '#calls/record/call-machine.js';
import { CallCost, CallUsage } from '#calls/record/call-cost.js';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { followUpResource, toFollowUpResource } from './follow-up-resource.js';
import { runningMetrics, type CallTurn, type TranscriptEntry } from '#calls/talk/talk-rows.js';
import { transcriptText } from '#calls/talk/transcript-formats.js';

// A call as the API shows it: the schema, and its values from the row. `CallViews` builds it for the routes of calls.

/** The statuses of calls in the API. */
export const WIRE_STATUSES = ['scheduled', ...callMachine.states] as const;
export type WireStatus = (typeof WIRE_STATUSES)[number];

/** The status in the API: a queued call with a scheduled time is `scheduled`. */
export function wireStatus(call: Pick<CallRow, 'status' | 'scheduled_at'>): WireStatus {
  return call.status === 'queued' && call.scheduled_at !== null ? 'scheduled' : call.status;
}

const callMetrics = z.object({
  transcription_latency_ms: z
    .int()
    .meta({ description: 'Mean time to the final words of an utterance; 0 until known.' }),
  response_latency_ms: z.int().meta({
    description: 'Mean time from the last voiced sample of the customer to the first of the agent.',
  }),
  audio_quality: z
    .number()
    .min(0)
    .max(1)
    .meta({ description: 'Share of the expected audio that arrived in time and unclipped, 0 to 1.' }),
  duration: z.int().meta({ description: 'Seconds since the call was answered.' }),
  speaker_changes: z.int().nullable(),
  ai_response_time: z
    .int()
    .nullable()
    .meta({ description: 'The same as `response_latency_ms`, once known.' }),
  customer_sentiment: z.string().nullable(),
  resolution_achieved: z.boolean().nullable(),
});

/** A call as the API shows it (openapi.json, `Call`). */
export const callResource = z
  .object({
    call_id: z.string(),
    agent_id: z.string(),
    status: z.enum(WIRE_STATUSES),
    duration: z.int().meta({ description: 'Seconds since the call was answered; grows while it is live.' }),
    transcript: z.string().meta({
      description:
        'The transcript as text; `""` until somebody has spoken. Lists show its first 200 characters, ended with `…`, ' +
        'unless they are asked to `expand=transcript`.',
    }),
    recording_url: z
      .string()
      .nullable()
      .meta({ description: 'Signed and expiring; null when the call is not recorded.' }),
    metrics: callMetrics,
    id: z.string(),
    object: z.literal('call'),
    agent_name: z.string(),
    direction: z.enum(['outbound', 'inbound']),
    call_type: z.string(),
    to_phone: z.string(),
    from_phone: z.string(),
    name: z.string().nullable(),
    customer_data: FreeForm,
    customer_context: FreeForm,
    metadata: FreeForm,
    record_call: z.boolean(),
    record_storage: z.string(),
    enable_transcription: z.boolean(),
    transcription_provider: z.string(),
    providers: ChosenProviders.nullable(),
    timeout_seconds: z.int(),
    silence_timeout_seconds: z.int(),
    summary: z.string().nullable(),
    analysis: storedAnalysis.nullable(),
    answers: callAnswers,
    follow_up: followUpResource.nullable(),
    ended_reason: z.enum(ENDED_REASON_NAMES).nullable(),
    fault: z.string().nullable().meta({ description: 'Who caused an unwanted end.' }),
    error: z.string().nullable(),
    batch_id: z.string().nullable(),
    schedule_id: z.string().nullable(),
    execution_id: z.string().nullable(),
    parent_call_id: z.string().nullable().meta({
      description:
        'The call whose caller a person is asked to take over by this one (a warm transfer); null for a call of its own.',
    }),
    provider: z.string(),
    provider_call_id: z.string().nullable(),
    provider_code: z.string().nullable(),
    cost_usd: z.number().meta({ description: 'What is known of the cost, in US dollars.' }),
    cost: CallCost.nullable().meta({ description: 'What it cost, leg by leg; null until its talk is over.' }),
    usage: CallUsage.nullable().meta({ description: 'What it has used; null until its talk is over.' }),
    scheduled_time: z.string().nullable().meta({ description: 'As it was sent.' }),
    scheduled_at: instantOut.nullable(),
    created_at: instantOut,
    estimated_start_time: instantOut,
    started_at: instantOut.nullable(),
    answered_at: instantOut.nullable(),
    ended_at: instantOut.nullable(),
    updated_at: instantOut.meta({
      description: 'When it last progressed, also after its end. A change of its metadata does not count.',
    }),
  })
  .meta({ id: 'Call', description: 'A call, from its request to its end.' });

export type CallResource = z.infer<typeof callResource>;

/** A call with everything that its resource contains. `now` is in epoch milliseconds. */
export interface CallView {
  call: CallRow;
  entries: readonly TranscriptEntry[];
  /** The turns of the call; used only while the call is not over. */
  turns: readonly CallTurn[];
  links: CallLinks;
  now: number;
}

/**
 * Builds the API's resource of a call. Until the call is over, the duration runs up to `now`, and the metrics are
 * computed from the turns.
 */
export function toCallResource(view: CallView): CallResource {
  const { call, entries, links, now } = view;
  const duration = durationSeconds(call, now);
  return {
    call_id: call.id,
    agent_id: call.agent_id,
    status: wireStatus(call),
    duration,
    transcript: transcriptText(entries),
    recording_url: call.record_call ? links.recordingUrl : null,
    metrics: { ...metricsOf(view), duration },
    id: call.id,
    object: 'call',
    agent_name: call.agent_name,
    direction: call.direction,
    call_type: call.call_type,
    to_phone: call.to_phone,
    from_phone: call.from_phone,
    name: call.name,
    customer_data: call.customer_data,
    customer_context: call.customer_context,
    metadata: call.metadata,
    record_call: call.record_call,
    record_storage: call.record_storage,
    enable_transcription: call.enable_transcription,
    transcription_provider: call.transcription_provider,
    providers: call.providers,
    timeout_seconds: call.timeout_seconds,
    silence_timeout_seconds: call.silence_timeout_seconds,
    summary: call.summary,
    analysis: call.analysis,
    answers: call.outcome?.answers ?? {},
    follow_up: toFollowUpResource(call.outcome?.followUp),
    ended_reason: call.ended_reason,
    fault: call.fault,
    error: call.error,
    batch_id: call.batch_id,
    schedule_id: call.schedule_id,
    execution_id: call.execution_id,
    parent_call_id: call.parent_call_id,
    provider: call.provider,
    provider_call_id: call.provider_call_id,
    provider_code: call.provider_code,
    cost_usd: call.cost_usd,
    cost: call.cost,
    usage: call.usage,
    scheduled_time: call.scheduled_time,
    scheduled_at: toInstantOrNull(call.scheduled_at),
    created_at: toInstant(call.created_at),
    estimated_start_time: toInstant(call.estimated_start_at),
    started_at: toInstantOrNull(call.started_at),
    answered_at: toInstantOrNull(call.answered_at),
    ended_at: toInstantOrNull(call.ended_at),
    updated_at: toInstant(call.updated_at),
  };
}

/** The metrics: computed from the turns so far, or as stored at the end; zero or null where they are unknown. */
function metricsOf({ call, entries, turns }: CallView): Omit<CallResource['metrics'], 'duration'> {
  const isOver = callMachine.isFinal(call.status);
  const metrics = isOver ? call.metrics : runningMetrics(turns, entries);
  return {
    transcription_latency_ms: metrics?.transcription_latency_ms ?? 0,
    response_latency_ms: metrics?.response_latency_ms ?? 0,
    audio_quality: metrics?.audio_quality ?? 0,
    speaker_changes: metrics?.speaker_changes ?? null,
    // A mean of 0 means that there was no response, since no response takes 0 ms: the field is null then.
    ai_response_time: metrics?.response_latency_ms || null,
    customer_sentiment: call.analysis?.sentiment ?? null,
    resolution_achieved: call.analysis?.resolution_achieved ?? call.outcome?.resolutionAchieved ?? null,
  };
}
