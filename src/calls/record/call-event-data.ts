import { toInstantOrNull } from '#kernel/time/clock.js';
import { durationSeconds, type CallRow } from './call.js';
import type { CallStatus } from './call-machine.js';

// The `data` object of the webhook events about a call's status, such as `call.completed`. `moveCall` records the
// events.

/** The URLs of a call's recording and transcript. The URL of the recording is signed and expires. */
export interface CallLinks {
  recordingUrl: string;
  transcriptUrl: string;
}

/** The status that events show for each status of a call: fewer than the API shows (docs/events.md). */
const EVENT_STATUS: Record<CallStatus, string> = {
  queued: 'initiated',
  initiated: 'initiated',
  connecting: 'initiated',
  connected: 'connected',
  active: 'in_progress',
  ending: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  missed: 'missed',
  cancelled: 'cancelled',
};

/** The `data` of an event about a call's status, with the values of the call after the change (docs/events.md). */
export function callEventData(call: CallRow, links: CallLinks): Record<string, unknown> {
  return {
    id: call.id,
    call_from: call.from_phone,
    call_to: call.to_phone,
    agent_id: call.agent_id,
    agent_name: call.agent_name,
    status: EVENT_STATUS[call.status],
    direction: call.direction,
    call_type: call.call_type,
    // When the call was answered, or else when it was started.
    start_time: toInstantOrNull(call.answered_at ?? call.started_at),
    end_time: toInstantOrNull(call.ended_at),
    duration_seconds: durationSeconds(call, call.updated_at),
    recording_url: call.record_call ? links.recordingUrl : null,
    transcript_url: call.enable_transcription ? links.transcriptUrl : null,
    custom_metadata: call.metadata,
    call_id: call.id,
    ended_reason: call.ended_reason,
    error: call.error,
    batch_id: call.batch_id,
    schedule_id: call.schedule_id,
    parent_call_id: call.parent_call_id,
    providers: call.providers,
    // The next three are known when a talk has ended; the analysis follows in a later event.
    answers: call.outcome?.answers ?? {},
    intent: call.outcome?.intent ?? null,
    resolution_achieved: call.outcome?.resolutionAchieved ?? null,
    sequence: call.event_sequence,
  };
}
