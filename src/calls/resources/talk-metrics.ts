import { z } from 'zod';
import { percentile } from '#kernel/measuring/percentile.js';
import type { CallResource } from './call-resource.js';
import { callTurnResource } from './talk-resource.js';
import type { CallTurn } from '#calls/talk/talk-rows.js';

// The metrics of one call in the API: means, and percentiles of each part of the response time (the time from the end
// of the customer's words to the agent's first sound). `CallViews.metrics` builds them.

/** The definition of `audio_quality` in the API reference. Measured in `conversation/line/audio-quality.ts`. */
const AUDIO_QUALITY =
  "Share of the customer's 20 ms frames, since the stream began, that arrived in time (at most 60 ms late) and were not " +
  'clipped: 1 is a perfect line. 0 while the call goes on, and when no sound ever came.';

const spread = z
  .object({
    p50: z.int().nullable().meta({ description: 'Median; null without responses.' }),
    p95: z.int().nullable().meta({ description: '95th percentile; null without responses.' }),
  })
  .meta({
    id: 'LatencySpread',
    description: 'The distribution of one part of the response time, in milliseconds.',
  });

/** For each part of the response time in the API, the field of a turn that measures it. */
const TURN_FIELDS = {
  end_of_turn: 'end_of_turn_ms',
  hearing: 'stt_ms',
  thinking: 'llm_first_token_ms',
  speaking: 'tts_first_byte_ms',
  total: 'total_ms',
} as const satisfies Record<string, keyof CallTurn>;

const latency = z
  .object({ end_of_turn: spread, hearing: spread, thinking: spread, speaking: spread, total: spread })
  .meta({ id: 'CallLatency', description: 'The parts of the responses of a call, each by its percentiles.' });

/** The response of `GET /api/calls/{call_id}/metrics` (openapi.json, `CallMetrics`). */
export const callMetricsResource = z
  .object({
    call_id: z.string(),
    duration: z.int().meta({ description: 'Seconds since the call was answered.' }),
    speaker_changes: z.int().meta({ description: 'How often the speaker changed.' }),
    ai_response_time: z.int().meta({ description: 'The same as `response_latency_ms`.' }),
    audio_quality: z.number().min(0).max(1).meta({ description: AUDIO_QUALITY }),
    customer_sentiment: z.string().meta({
      description: 'positive, neutral or negative; `""` until the call has been analysed.',
    }),
    resolution_achieved: z.boolean().nullable(),
    transcription_latency_ms: z.int().meta({ description: 'Mean of `stt_ms`; 0 before the first response.' }),
    response_latency_ms: z.int().meta({
      description: 'Mean of `total_ms`, the end-of-turn silence included; 0 before the first response.',
    }),
    turns: z.array(callTurnResource),
    p50_response_ms: z.int().nullable().meta({ description: 'The same as `latency.total.p50`.' }),
    p95_response_ms: z.int().nullable().meta({ description: 'The same as `latency.total.p95`.' }),
    latency,
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
        latency: latencyOf([]),
      },
    ],
  });

/** Builds the response from the call's resource and its turns. */
export function toMetricsResource(
  { call_id, metrics }: Pick<CallResource, 'call_id' | 'metrics'>,
  turns: readonly CallTurn[],
): z.infer<typeof callMetricsResource> {
  const spreads = latencyOf(turns);
  return {
    call_id,
    duration: metrics.duration,
    speaker_changes: metrics.speaker_changes ?? 0,
    ai_response_time: metrics.response_latency_ms,
    audio_quality: metrics.audio_quality,
    customer_sentiment: metrics.customer_sentiment ?? '',
    resolution_achieved: metrics.resolution_achieved,
    transcription_latency_ms: metrics.transcription_latency_ms,
    response_latency_ms: metrics.response_latency_ms,
    turns: [...turns],
    p50_response_ms: spreads.total.p50,
    p95_response_ms: spreads.total.p95,
    latency: spreads,
  };
}

/** The percentiles of each part, over the turns of a call. */
function latencyOf(turns: readonly CallTurn[]): z.infer<typeof latency> {
  const spreadOfPart = (part: keyof typeof TURN_FIELDS) => {
    const sorted = turns.map((turn) => turn[TURN_FIELDS[part]]).sort((a, b) => a - b);
    return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
  };
  return {
    end_of_turn: spreadOfPart('end_of_turn'),
    hearing: spreadOfPart('hearing'),
    thinking: spreadOfPart('thinking'),
    speaking: spreadOfPart('speaking'),
    total: spreadOfPart('total'),
  };
}
