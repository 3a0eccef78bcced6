import { toInstant } from '#kernel/time/clock.js';
import type { CallAnalysis } from '#analysis/analysis.js';
import type { CallRow } from '#calls/record/call.js';
import type { RecordingRow } from '#calls/recordings/recording.js';

/** The `data` of the event `call.recording_ready` (docs/events.md). */
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

/** What the events of an analysis are built from. */
interface Analysed {
  eventId: string;
  call: CallRow;
  analysis: CallAnalysis;
}

/** The `data` of the event `call.analysis_complete` (docs/events.md): the analysis without the transcript. */
export function analysisData(analysed: Analysed): Record<string, unknown> {
  return joined(idsOf(analysed), analysed.analysis, callOf(analysed));
}

/** The `data` of the events `call.transcript_ready` and `call.summary_ready` (docs/events.md). */
export function transcriptData(
  analysed: Analysed,
  { transcript, transcriptUrl }: { transcript: string; transcriptUrl: string },
): Record<string, unknown> {
  const words = { transcript, transcript_url: transcriptUrl };
  return joined(idsOf(analysed), words, analysed.analysis, callOf(analysed));
}

/** All fields in one object. Node 20 takes thirty times as long to spread several objects into one. */
function joined(...parts: readonly object[]): Record<string, unknown> {
  return Object.assign({}, ...parts) as Record<string, unknown>;
}

function idsOf({ eventId, call }: Analysed) {
  return { id: eventId, call_id: call.id };
}

/** Identifies the customer that an event is about, so that a receiver need not request the call. */
function callOf({ call }: Analysed) {
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
