import { z } from 'zod';
import { jsonColumn } from '#store/statements/columns.js';

// The recording of a call as its row holds it, and the gaps in it. Used by the stores of recordings, by the jobs after
// a call, and by the streams that begin a recording.

/**
 * A stretch of a call that its recording lacks; the end is null if all later audio is lost, because the process died.
 */
export const gapOfRecording = z.object({
  start_ms: z.int().meta({ description: 'Milliseconds from the beginning.' }),
  end_ms: z.int().nullable().meta({ description: 'Where it ends; null where nothing is known of the rest.' }),
});
export type GapOfRecording = z.infer<typeof gapOfRecording>;

/** The name of the file that a call is recorded in. */
export function recordingFileOf(callId: string): string {
  return `${callId}.wav`;
}

/**
 * The gaps of a recording whose audio after `durationMs` is lost: the gaps before, and a last one with an unknown end.
 */
export function gapsWhenCut(gaps: readonly GapOfRecording[], durationMs: number): GapOfRecording[] {
  const within = gaps.flatMap(({ start_ms, end_ms }) =>
    end_ms === null || start_ms >= durationMs ? [] : [{ start_ms, end_ms: Math.min(end_ms, durationMs) }],
  );
  return [...within, { start_ms: durationMs, end_ms: null }];
}

/**
 * A recording as its row holds it. Its status is `writing` until its file is completed after the call, then `ready`. In
 * both, it may become `deleted`.
 */
export const RecordingRow = z.object({
  id: z.string(),
  call_id: z.string(),
  workspace: z.string(),
  status: z.enum(['writing', 'ready', 'deleted']),
  /** Where the complete recording is: on a disk (`local`) or in object storage (`s3`). */
  storage: z.enum(['local', 's3']),
  /** The key in object storage; null before the upload of the recording or of its first part. */
  object_key: z.string().nullable(),
  /** The number of parts in object storage that were begun during the call and are not removed yet. */
  parts: z.number().int(),
  /** Bytes of audio in the stored parts. */
  part_bytes: z.number().int(),
  /** The id of the folder with the file, while it is on a disk; null for recordings of older versions. */
  folder_id: z.string().nullable(),
  /** The name of the file within the folder. */
  file_name: z.string(),
  format: z.string(),
  sample_rate: z.number().int(),
  channels: z.number().int(),
  /** Size and duration of the complete recording; 0 while it is written. */
  size_bytes: z.number().int(),
  duration_ms: z.number().int(),
  gaps: jsonColumn(z.array(gapOfRecording)),
  created_at: z.number().int(),
});
export type RecordingRow = z.infer<typeof RecordingRow>;
