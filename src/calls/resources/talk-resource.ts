import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant } from '#kernel/time/clock.js';
import type { CallRow } from '#calls/record/call.js';
import type { CallEvent, TranscriptEntry } from '#calls/talk/talk-rows.js';
import { toOffset } from '#calls/talk/transcript.js';

/** One line of a call's life-cycle log (our choice). */
export const callEventResource = z
  .object({
    id: z.string().meta({ description: 'Call id and sequence number.' }),
    type: z.string().meta({
      description:
        '`created`, `state_changed`, `lookup_failed`, `transferred`, `transfer_failed`, `call_back_planned` or `carrier_recording`.',
      examples: ['state_changed'],
    }),
    from: z.string().nullable(),
    to: z.string().nullable(),
    at: instantOut,
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'Details of the event. For a `carrier_recording`, made by the carrier itself: `carrier`, ' +
        '`recording_id`, `state` (`completed`, `absent` or `failed`), `duration_seconds`, `channels` ' +
        'and `url`, as far as the carrier has reported them.',
    }),
  })
  .meta({ id: 'CallEvent', description: 'An event of a call.' });

export function toEventResource(callId: string, event: CallEvent): z.infer<typeof callEventResource> {
  return {
    id: `${callId}:${event.sequence}`,
    type: event.type,
    from: event.from_status,
    to: event.to_status,
    at: toInstant(event.at),
    data: event.data,
  };
}

const milliseconds = (description: string) => z.int().meta({ description });

/** The parts of one response (our choice); together with pacing they make `total_ms`. */
export const callTurnResource = z
  .object({
    turn: z.int(),
    end_of_turn_ms: milliseconds("The silence waited for before the customer's turn was over."),
    stt_ms: milliseconds('To the final words.'),
    llm_first_token_ms: milliseconds('To the first sentence of the answer.'),
    tts_first_byte_ms: milliseconds('To its first sound.'),
    total_ms: milliseconds('From the last voiced sample of the customer to the first of the agent.'),
    interrupted: z.boolean(),
  })
  .meta({ id: 'CallTurn', description: 'How long one response took, by its parts.' });

/** Entry of a transcript (Interface: Transcript response; our additions after the first four keys). */
const transcriptEntryResource = z
  .object({
    speaker: z.enum(['agent', 'customer']),
    text: z
      .string()
      .meta({ description: 'What was said and could be heard; `""` if it was not understood.' }),
    timestamp: z.string().meta({ description: 'Offset from the start of the call, `H:MM:SS`.' }),
    confidence: z.number().min(0).max(1),
    start_ms: z.int(),
    end_ms: z.int(),
    interrupted: z
      .boolean()
      .meta({ description: 'Whether the customer interrupted it; the text ends there.' }),
  })
  .meta({ id: 'TranscriptEntry', description: 'One utterance.' });

export const transcriptResource = z
  .object({
    call_id: z.string(),
    transcript: z.array(transcriptEntryResource),
    id: z.string(),
    object: z.literal('transcript'),
    status: z.enum(['pending', 'completed', 'disabled']),
    language: z.string(),
  })
  .meta({
    id: 'Transcript',
    description: 'What was said, in order.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        transcript: [
          {
            speaker: 'agent',
            text: 'Hello Ada, this is the clinic.',
            timestamp: '0:00:01',
            confidence: 1,
            start_ms: 1120,
            end_ms: 3010,
            interrupted: false,
          },
        ],
        id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        object: 'transcript',
        status: 'completed',
        language: 'en-US',
      },
    ],
  });

export function toTranscriptResource(
  call: CallRow,
  entries: readonly TranscriptEntry[],
): z.infer<typeof transcriptResource> {
  return {
    call_id: call.id,
    transcript: entries.map((entry) => ({
      speaker: entry.speaker,
      text: entry.text,
      timestamp: toOffset(entry.start_ms),
      confidence: entry.confidence,
      start_ms: entry.start_ms,
      end_ms: entry.end_ms,
      interrupted: entry.interrupted,
    })),
    id: call.id,
    object: 'transcript',
    status: call.enable_transcription ? (call.ended_at === null ? 'pending' : 'completed') : 'disabled',
    language: call.language,
  };
}
