import { z } from 'zod';
import { instantOut } from '../kernel/fields.js';
import { toInstant } from '../kernel/clock.js';
import type { CallRow } from './call.js';
import type { CallResource } from './call-resource.js';
import type { CallEvent, CallTurn } from './talk-rows.js';
import { toOffset, type TranscriptEntry } from './transcript.js';

/** One line of a call's life-cycle log (our choice). */
export const callEventResource = z
  .object({
    id: z.string().meta({ description: 'Call id and sequence number.' }),
    type: z.string().meta({ examples: ['state_changed'] }),
    from: z.string().nullable(),
    to: z.string().nullable(),
    at: instantOut,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'CallEvent', description: 'Something in the life of a call.' });

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

export function toTurnResource(turn: CallTurn): z.infer<typeof callTurnResource> {
  return turn;
}

/** Entry of a transcript (Interface: Transcript response; our additions after the first four keys). */
const transcriptEntryResource = z
  .object({
    speaker: z.enum(['agent', 'customer']),
    text: z
      .string()
      .meta({ description: 'What was said and could be heard; `""` for speech not understood.' }),
    timestamp: z.string().meta({ description: 'Offset from the start of the call, `H:MM:SS`.' }),
    confidence: z.number().min(0).max(1),
    start_ms: z.int(),
    end_ms: z.int(),
    interrupted: z.boolean().meta({ description: 'The customer spoke over it and it was cut there.' }),
  })
  .meta({ id: 'TranscriptEntry', description: 'One thing said.' });

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

/** Answer of `GET /api/calls/{call_id}/metrics` (Interface: call metrics fields; the turns are ours). */
export const callMetricsResource = z
  .object({
    call_id: z.string(),
    duration: z.int(),
    speaker_changes: z.int(),
    ai_response_time: z.int(),
    audio_quality: z.number(),
    customer_sentiment: z.string().nullable(),
    resolution_achieved: z.boolean().nullable(),
    transcription_latency_ms: z.int(),
    response_latency_ms: z.int(),
    turns: z.array(callTurnResource),
    p50_response_ms: z.int().nullable(),
    p95_response_ms: z.int().nullable(),
  })
  .meta({
    id: 'CallMetrics',
    description: 'How well a call went, in numbers.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        duration: 42,
        speaker_changes: 6,
        ai_response_time: 640,
        audio_quality: 0.97,
        customer_sentiment: 'positive',
        resolution_achieved: true,
        transcription_latency_ms: 180,
        response_latency_ms: 640,
        turns: [],
        p50_response_ms: null,
        p95_response_ms: null,
      },
    ],
  });

export function toMetricsResource(
  { call_id, metrics }: Pick<CallResource, 'call_id' | 'metrics'>,
  turns: readonly CallTurn[],
): z.infer<typeof callMetricsResource> {
  const totals = turns.map((turn) => turn.total_ms).sort((a, b) => a - b);
  return {
    call_id,
    duration: metrics.duration,
    speaker_changes: metrics.speaker_changes ?? 0,
    ai_response_time: metrics.response_latency_ms,
    audio_quality: metrics.audio_quality,
    customer_sentiment: metrics.customer_sentiment,
    resolution_achieved: metrics.resolution_achieved,
    transcription_latency_ms: metrics.transcription_latency_ms,
    response_latency_ms: metrics.response_latency_ms,
    turns: turns.map((turn) => toTurnResource(turn)),
    p50_response_ms: percentile(totals, 0.5),
    p95_response_ms: percentile(totals, 0.95),
  };
}

/** The nearest-rank percentile of sorted values; null of none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
