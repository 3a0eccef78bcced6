import { CALL_LIMITS } from './call-request.js';
import type { NewCall } from '#calls/record/call.js';
import type { FreeForm } from '#kernel/input/free-form.js';

/** The facts about an inbound call, from its carrier, or from a client that streams audio to this service itself. */
export interface InboundPlan {
  workspace: string;
  /** The carrier, or `websocket` for a client's own stream. */
  provider: string;
  providerCallId: string | null;
  /** The caller's number (E.164); empty if it is hidden or unknown. */
  from: string;
  /** The called number (E.164); empty if it is unknown, as for a client's own stream. */
  to: string;
  /** Data about the caller, which fill the variables in the agent's texts. */
  variables?: FreeForm;
  /** The process that carries the call. */
  nodeId: string;
  /** Where the finished recording is kept: on the disk, or in object storage. */
  recordStorage: 'local' | 's3';
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Drafts an inbound call with the default options: computes the columns of the new call. Used by `InboundCalls` and
 * `AudioStreams`.
 */
export function draftInboundCall(id: string, plan: InboundPlan): NewCall {
  return {
    id,
    workspace: plan.workspace,
    direction: 'inbound',
    status: 'initiated',
    to_phone: plan.to,
    from_phone: plan.from,
    name: null,
    provider: plan.provider,
    provider_call_id: plan.providerCallId,
    customer_data: plan.variables ?? {},
    customer_context: {},
    metadata: {},
    record_call: true,
    record_storage: plan.recordStorage,
    enable_transcription: true,
    transcription_provider: null,
    timeout_seconds: CALL_LIMITS.timeoutSeconds.usual,
    silence_timeout_seconds: CALL_LIMITS.silenceTimeoutSeconds.usual,
    scheduled_time: null,
    scheduled_at: null,
    timezone: null,
    estimated_start_at: plan.at,
    call_window: null,
    batch_id: null,
    schedule_id: null,
    execution_id: null,
    node_id: plan.nodeId,
  };
}
