import { toInstant } from '#kernel/time/clock.js';
import type { CallAnalysis } from '#analysis/analysis.js';
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
  callId: string;
  analysis: CallAnalysis;
  answers: Readonly<Record<string, string>>;
}

/** `data` of `call.analysis_complete` (our choice): the analysis without the words. */
export function analysisData({ eventId, callId, analysis, answers }: Analysed): Record<string, unknown> {
  return { id: eventId, call_id: callId, ...analysis, answers };
}

/** `data` of `call.transcript_ready` (Interface), and of `call.summary_ready`, which carries the same. */
export function transcriptData(
  { eventId, callId, analysis, answers }: Analysed,
  { transcript, transcriptUrl }: { transcript: string; transcriptUrl: string },
): Record<string, unknown> {
  return { id: eventId, call_id: callId, transcript, transcript_url: transcriptUrl, ...analysis, answers };
}
