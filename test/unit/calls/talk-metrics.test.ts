import { expect, it } from 'vitest';
import { toMetricsResource } from '#calls/resources/talk-metrics.js';

const METRICS = {
  duration: 60,
  speaker_changes: 40,
  audio_quality: 1,
  customer_sentiment: null,
  resolution_achieved: true,
  transcription_latency_ms: 0,
  response_latency_ms: 0,
} as Parameters<typeof toMetricsResource>[0]['metrics'];

it('the percentiles of a call are told for each part of its responses, in whatever order they came', () => {
  // 1 to 20, each once.
  const ranks = Array.from({ length: 20 }, (_, at) => ((at * 7) % 20) + 1);
  const turns = ranks.map((rank, at) => ({
    turn: at + 1,
    end_of_turn_ms: 300 + rank,
    stt_ms: rank,
    llm_first_token_ms: 10 * rank,
    tts_first_byte_ms: 100 - rank,
    total_ms: 1_000 * rank,
    sounded_at_ms: null,
    interrupted: false,
  }));
  const told = toMetricsResource({ call_id: 'call_1', metrics: METRICS }, turns);
  expect(told.latency).toEqual({
    end_of_turn: { p50: 310, p95: 319 },
    hearing: { p50: 10, p95: 19 },
    thinking: { p50: 100, p95: 190 },
    speaking: { p50: 89, p95: 98 },
    total: { p50: 10_000, p95: 19_000 },
  });
  expect([told.p50_response_ms, told.p95_response_ms]).toEqual([10_000, 19_000]);
  expect(told.turns).toEqual(turns);
});
