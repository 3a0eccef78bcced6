import { toInstant } from '../kernel/clock.js';
import type { CallAnalysis } from '../speech/analysis/analysis.js';
import type { CallRow } from './call.js';
import type { RecordingRow } from './recording.js';
import { transcriptText, type TranscriptEntry } from './transcript.js';

/** `data` of `call.recording_ready` (our choice). */
export function recordingData(recording: RecordingRow, recordingUrl: string): Record<string, unknown> {
  return {
    id: recording.id,
    call_id: recording.call_id,
    recording_url: recordingUrl,
    duration: Math.floor(recording.duration_ms / 1000),
    size_bytes: recording.size_bytes,
    format: recording.format,
    created_at: toInstant(recording.created_at),
  };
}

/** `data` of `call.analysis_complete` (our choice): the analysis without the words. */
export function analysisData(told: {
  eventId: string;
  callId: string;
  analysis: CallAnalysis;
}): Record<string, unknown> {
  return { id: told.eventId, call_id: told.callId, ...told.analysis };
}

/** `data` of `call.transcript_ready` (Interface), and of `call.summary_ready`, which carries the same. */
export function transcriptData(
  told: { eventId: string; transcriptUrl: string },
  call: CallRow,
  entries: readonly TranscriptEntry[],
): Record<string, unknown> {
  return {
    id: told.eventId,
    call_id: call.id,
    transcript: transcriptText(entries),
    transcript_url: told.transcriptUrl,
    summary: call.summary ?? '',
    ...call.analysis,
  };
}
