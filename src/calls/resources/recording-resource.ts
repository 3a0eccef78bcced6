import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant } from '#kernel/time/clock.js';
import { gapOfRecording, type RecordingRow } from '#calls/recordings/recording.js';

/** A recording as the API shows it (openapi.json, `Recording`), for the routes of recordings and of expanded calls. */
export const recordingResource = z
  .object({
    call_id: z.string(),
    recording_url: z
      .string()
      .meta({ description: 'A signed URL of the audio, which needs no credentials until `expires_at`.' }),
    duration: z.int().meta({ description: 'Seconds.' }),
    size_bytes: z.int(),
    format: z.string(),
    created_at: instantOut,
    id: z.string(),
    object: z.literal('recording'),
    storage: z.string(),
    sample_rate: z.int(),
    channels: z.int().meta({ description: '2: the customer on the left, the agent on the right.' }),
    is_complete: z
      .boolean()
      .meta({ description: 'Whether all of the call is in it; otherwise `gaps` says what is not.' }),
    gaps: z.array(gapOfRecording).meta({
      description:
        'Parts of the call that are not in it, because the service stood still, its disk was too slow or full, or it ' +
        'was interrupted. They are silence; the last one may be missing from the end of the file.',
    }),
    expires_at: instantOut,
  })
  .meta({
    id: 'Recording',
    description: 'The recording of a call.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        recording_url:
          'http://localhost:8010/api/calls/call_01kakb8x6te1tr7m3qf0c9w2af/recording/audio?token=rt_example',
        duration: 42,
        size_bytes: 1_344_044,
        format: 'wav',
        created_at: '2026-11-21T00:00:47.000Z',
        id: 'rec_01kakb8x6te1tr7m3qf0c9w2ag',
        object: 'recording',
        storage: 'local',
        sample_rate: 8000,
        channels: 2,
        is_complete: true,
        gaps: [],
        expires_at: '2026-11-21T01:00:47.000Z',
      },
    ],
  });

/** Builds the resource from the recording's row and a signed link to its audio (expiry in epoch milliseconds). */
export function toRecordingResource(
  recording: RecordingRow,
  link: { url: string; expiresAt: number },
): z.infer<typeof recordingResource> {
  return {
    call_id: recording.call_id,
    recording_url: link.url,
    duration: Math.floor(recording.duration_ms / 1000),
    size_bytes: recording.size_bytes,
    format: recording.format,
    created_at: toInstant(recording.created_at),
    id: recording.id,
    object: 'recording',
    storage: recording.storage,
    sample_rate: recording.sample_rate,
    channels: recording.channels,
    is_complete: recording.gaps.length === 0,
    gaps: recording.gaps,
    expires_at: toInstant(link.expiresAt),
  };
}
