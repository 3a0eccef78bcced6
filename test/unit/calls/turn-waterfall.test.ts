import { expect, it } from 'vitest';
import { toTurnWaterfall } from '#calls/resources/turn-waterfall.js';
import type { CallTool } from '#calls/talk/model-rows.js';
import type { CallTurn, TranscriptEntry } from '#calls/talk/talk-rows.js';

const turn = (index: number, sounded: number | null, total = 600): CallTurn => ({
  turn: index,
  end_of_turn_ms: 300,
  stt_ms: 80,
  llm_first_token_ms: 160,
  tts_first_byte_ms: 50,
  total_ms: total,
  interrupted: false,
  sounded_at_ms: sounded,
});

const entry = (speaker: 'agent' | 'customer', start: number, text: string): TranscriptEntry => ({
  call_id: 'call_1',
  sequence: start,
  speaker,
  text,
  confidence: 1,
  start_ms: start,
  end_ms: start + 500,
  interrupted: false,
  unheard: null,
  spoken_by: null,
  language: null,
});

const tool = (start: number, latency: number): CallTool => ({
  sequence: start,
  tool_call_id: 'tool_1',
  name: 'find_slot',
  arguments: '{}',
  status: 'ok',
  result: '{}',
  start_ms: start,
  latency_ms: latency,
});

it('each response is told with what it answered, and the tools of its turn', () => {
  const told = toTurnWaterfall({
    turns: [turn(1, 5_000), turn(2, 12_000, 2_000)],
    entries: [
      entry('agent', 1_000, 'Hello.'),
      entry('customer', 3_000, 'Yes,'),
      entry('customer', 4_000, 'please.'),
      entry('agent', 5_000, 'Which day?'),
      entry('customer', 8_000, ''),
      entry('customer', 9_000, 'Monday.'),
      entry('agent', 12_000, 'It is done.'),
    ],
    tools: [tool(10_500, 900), tool(12_500, 300)],
    agentReplyTimes: [600, 2_000],
  });
  expect(told.turns).toMatchObject([
    {
      index: 1,
      started_at_ms: 4_400,
      heard: 'Yes, please.',
      said: 'Which day?',
      tool_ms: 0,
      first_audio_ms: 600,
    },
    { index: 2, started_at_ms: 10_000, heard: 'Monday.', said: 'It is done.', tool_ms: 1_200, model_ms: 160 },
  ]);
  expect(told.percentiles).toEqual({ p50: 600, p95: 2_000 });
  expect(told.agent_percentiles).toEqual({ p50: 600, p95: 2_000 });
});

it('what nobody heard is told by the beginning of what was heard, and is in no response', () => {
  const cut = { ...entry('agent', 1_000, 'Hello, this'), interrupted: true, unheard: 'is the clinic.' };
  const told = toTurnWaterfall({ turns: [turn(1, 1_000)], entries: [cut], tools: [], agentReplyTimes: [] });
  expect(told.unheard).toEqual([{ start_ms: 1_000, text: 'is the clinic.' }]);
  expect(told.turns[0]?.said).toBe('Hello, this');
});

it('a call of before tells its times, and one without responses has none', () => {
  const before = toTurnWaterfall({
    turns: [turn(1, null)],
    entries: [],
    tools: [tool(0, 100)],
    agentReplyTimes: [],
  });
  expect(before.turns).toMatchObject([{ started_at_ms: null, heard: '', said: '', tool_ms: 0 }]);
  expect(before.agent_percentiles).toBeNull();
  const silent = toTurnWaterfall({ turns: [], entries: [], tools: [], agentReplyTimes: [] });
  expect(silent).toEqual({
    turns: [],
    unheard: [],
    percentiles: { p50: null, p95: null },
    agent_percentiles: null,
  });
});
