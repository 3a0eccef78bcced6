import { toInstant } from '#kernel/time/clock.js';
import type { CallAnalysis } from '#analysis/analysis.js';
import type { CallRow } from '#calls/record/call.js';
import type { RecordingRow } from '#calls/recordings/recording.js';

// The `data` objects of the webhook events that announce a finished recording, transcript or analysis, for the
// transactions that write these events.

/** The `data` of the event `call.recording_ready` (docs/events.md). `duration` is in whole seconds. */
export function recordingData(recording: RecordingRow, recordingUrl: string): Record<string, unknown> {
  return {
    id: recording.id,
    call_id: recording.call_id,
    recording_url: recordingUrl,
    duration: Math.floor(recording.duration_ms / 1000),
    size_bytes: recording.size_bytes,
    format: recording.format,
    is_complete: recording.gaps.length === 0,
    gaps: recording.gaps,
    created_at: toInstant(recording.created_at),
  };
}

/** The source of the events of an analysis: the id of the event, the ended call and its analysis. */
interface AnalysisSource {
  eventId: string;
  call: CallRow;
  analysis: CallAnalysis;
}

/** The `data` of the event `call.analysis_complete` (docs/events.md): the analysis without the transcript. */
export function analysisData(source: AnalysisSource): Record<string, unknown> {
  return merge(idFields(source), source.analysis, callFields(source));
}

/** The `data` of the events `call.transcript_ready` and `call.summary_ready` (docs/events.md). */
export function transcriptData(
  source: AnalysisSource,
  { transcript, transcriptUrl }: { transcript: string; transcriptUrl: string },
): Record<string, unknown> {
  const transcriptFields = { transcript, transcript_url: transcriptUrl };
  return merge(idFields(source), transcriptFields, source.analysis, callFields(source));
}

/** All fields in one object. `Object.assign` is used because Node 20 takes thirty times as long for a spread. */
function merge(...parts: readonly object[]): Record<string, unknown> {
  return Object.assign({}, ...parts) as Record<string, unknown>;
}

function idFields({ eventId, call }: AnalysisSource) {
  return { id: eventId, call_id: call.id };
}

/** The most wanted fields of the call, so that a receiver of the event need not request the call. */
function callFields({ call }: AnalysisSource) {
  return {
    answers: call.outcome?.answers ?? {},
    call_from: call.from_phone,
    call_to: call.to_phone,
    direction: call.direction,
    status: call.status,
    ended_reason: call.ended_reason,
    custom_metadata: call.metadata,
    batch_id: call.batch_id,
    schedule_id: call.schedule_id,
  };
}
