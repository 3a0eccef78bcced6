import type { CallOptions } from './call-request.js';
import type { NewCall } from '#calls/record/call.js';
import type { KnownProviders } from '#providers/choose-providers.js';

// Drafts outbound calls: computes the columns of a new call from a request, a batch or a schedule. `createCall` stores
// the draft.

/** The choices for an outbound call. Phone numbers are E.164, instants epoch milliseconds. */
export interface CallPlan {
  workspace: string;
  to: string;
  /** Null: the default caller id. */
  from: string | null;
  name: string | null;
  options: CallOptions;
  /** When to dial. */
  dueAt: number;
  /** The scheduled time; null for a call that is wanted now. */
  scheduledAt: number | null;
  /**
   * The IANA zone that the request named, or in which the time was read. A local time is read in it again when
   * time-zone data change.
   */
  timezone?: string | null;
  batchId?: string | null;
  scheduleId?: string | null;
  executionId?: string | null;
}

/** The default values of a call. Plain data, because batches and schedules draft calls on the store's thread. */
export interface CallDefaults {
  fromNumber: string;
  carrierName: string;
  recordStorage: 'local' | 's3';
  providers: KnownProviders;
}

/** The estimated time from dialling until the phone rings. */
const START_ESTIMATE_MS = 1_000;

/**
 * The columns for the dial time of a call, also for a call whose time changes.
 * @param at when to dial (epoch milliseconds)
 */
export function dialTimeColumns(at: number): Pick<NewCall, 'scheduled_at' | 'estimated_start_at'> {
  return { scheduled_at: at, estimated_start_at: at + START_ESTIMATE_MS };
}

/** Drafts an outbound call. An immediate call starts as `initiated`, a scheduled one as `queued`. */
export function draftCall(id: string, plan: CallPlan, defaults: CallDefaults): NewCall {
  const { options } = plan;
  return {
    id,
    workspace: plan.workspace,
    direction: 'outbound',
    status: plan.scheduledAt === null ? 'initiated' : 'queued',
    to_phone: plan.to,
    from_phone: plan.from ?? defaults.fromNumber,
    name: plan.name,
    provider: defaults.carrierName,
    provider_call_id: null,
    customer_data: { ...options.variables, ...options.customer_data },
    customer_context: options.customer_context,
    metadata: options.metadata,
    record_call: options.record_call,
    record_storage: options.record_storage ?? defaults.recordStorage,
    enable_transcription: options.enable_transcription,
    transcription_provider: options.transcription_provider ?? null,
    timeout_seconds: options.timeout_seconds,
    silence_timeout_seconds: options.silence_timeout_seconds,
    scheduled_time: options.scheduled_time ?? null,
    ...dialTimeColumns(plan.dueAt),
    // Null for an immediate call, although it has a due time.
    scheduled_at: plan.scheduledAt,
    timezone: plan.timezone ?? null,
    call_window: options.call_window ?? null,
    batch_id: plan.batchId ?? null,
    schedule_id: plan.scheduleId ?? null,
    execution_id: plan.executionId ?? null,
    node_id: null,
  };
}
