import { toInstant } from '#kernel/time/clock.js';
import type { CallAnalysis } from '#analysis/analysis.js';
import type { CallRow } from '#calls/record/call.js';
import type { RecordingRow } from '#calls/recordings/recording.js';

/** `data` of `call.recording_ready` (our choice). */
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

/** An analysis as its events tell it. */
interface Analysed {
  eventId: string;
  call: CallRow;
  analysis: CallAnalysis;
}

/** `data` of `call.analysis_complete` (our choice): the analysis without the words. */
export function analysisData(analysed: Analysed): Record<string, unknown> {
  return { ...idsOf(analysed), ...analysed.analysis, ...callOf(analysed) };
}

/** `data` of `call.transcript_ready` (Interface), and of `call.summary_ready`, which carries the same. */
export function transcriptData(
  analysed: Analysed,
  { transcript, transcriptUrl }: { transcript: string; transcriptUrl: string },
): Record<string, unknown> {
  const words = { transcript, transcript_url: transcriptUrl };
  return { ...idsOf(analysed), ...words, ...analysed.analysis, ...callOf(analysed) };
}

function idsOf({ eventId, call }: Analysed) {
  return { id: eventId, call_id: call.id };
}

/** What leads from an event to the customer it is about, so that a receiver need not ask for the call. */
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
