import { z } from 'zod';
import { percentile } from '#kernel/measuring/percentile.js';
import type { CallTool } from '#calls/talk/model-rows.js';
import type { CallTurn, TranscriptEntry } from '#calls/talk/talk-rows.js';
import type { TurnFacts } from '#calls/talk/talk-store.js';

// The response times of a call, turn by turn, with the words of each turn; the console draws them as a waterfall.

const milliseconds = (description: string) => z.int().meta({ description });

const turn = z
  .object({
    index: z.int().meta({ description: 'Counts the responses of the call from 1.' }),
    started_at_ms: z.int().nullable().meta({
      description:
        'When the customer stopped speaking, in milliseconds of the recording; null in calls of older releases.',
    }),
    end_of_turn_ms: milliseconds("The silence waited for before the customer's turn was over."),
    recognition_ms: milliseconds('From there to the final words.'),
    model_ms: milliseconds('From there to the first sentence of the answer, tools included.'),
    tool_ms: milliseconds(
      'What tools of this turn took together; 0 without any, and where `started_at_ms` is null.',
    ),
    voice_ms: milliseconds('From the first sentence to its first sound.'),
    first_audio_ms: milliseconds('The reply time: from the last voiced sample of the customer to ours.'),
    heard: z.string().meta({
      description: 'The words of the customer, as they were recognised; `""` without a transcript.',
    }),
    said: z
      .string()
      .meta({ description: 'The part of the answer that the customer heard; `""` without a transcript.' }),
    interrupted: z.boolean(),
    by: z
      .enum(['agent', 'operator'])
      .meta({ description: 'Who has answered: always the agent, as only its responses are timed.' }),
  })
  .meta({
    id: 'CallTurnDetail',
    description: 'One response, with what it answered and where its time went.',
  });

const spread = z
  .object({
    p50: z.int().nullable().meta({ description: 'Median.' }),
    p95: z.int().nullable().meta({ description: '95th percentile.' }),
  })
  .meta({ id: 'ReplyTimes', description: 'Reply times in milliseconds; null without responses.' });

/** The response of `GET /api/calls/{call_id}/turns`. */
export const turnWaterfall = z
  .object({
    turns: z.array(turn).meta({ description: 'In order.' }),
    unheard: z
      .array(
        z.object({
          start_ms: milliseconds(
            'When the interrupted utterance began: `start_ms` of its entry in the transcript.',
          ),
          text: z
            .string()
            .meta({ description: 'The words of that utterance that the customer did not hear.' }),
        }),
      )
      .meta({
        description:
          'What the agent had ready when it was cut short, and the customer did not hear. The transcript holds only what ' +
          'was heard.',
      }),
    percentiles: spread.meta({ description: 'Of this call.' }),
    agent_percentiles: spread
      .nullable()
      .meta({ description: 'Of the newest calls of its agent; null before its first response.' }),
  })
  .meta({
    id: 'CallTurns',
    description: 'The responses of a call.',
    examples: [
      {
        turns: [
          {
            index: 1,
            started_at_ms: 4_120,
            end_of_turn_ms: 300,
            recognition_ms: 80,
            model_ms: 210,
            tool_ms: 0,
            voice_ms: 60,
            first_audio_ms: 660,
            heard: 'Yes, please.',
            said: 'Good. Which day?',
            interrupted: false,
            by: 'agent',
          },
        ],
        unheard: [{ start_ms: 4_780, text: 'We are open from nine to five.' }],
        percentiles: { p50: 660, p95: 660 },
        agent_percentiles: { p50: 640, p95: 910 },
      },
    ],
  });

/**
 * Builds the response from the turns of a call. The words of each turn are taken from the transcript, so that they
 * vanish with an erasure of the transcript.
 */
export function toTurnWaterfall({
  turns,
  entries,
  tools,
  agentReplyTimes,
}: TurnFacts): z.infer<typeof turnWaterfall> {
  const starts = turns.map((callTurn) => turnStart(callTurn));
  return {
    turns: turns.map((callTurn, index) => {
      const from = starts[index] ?? null;
      const until = starts.slice(index + 1).find((start) => start !== null) ?? Infinity;
      return {
        index: callTurn.turn,
        started_at_ms: from,
        end_of_turn_ms: callTurn.end_of_turn_ms,
        // The columns keep older names; `TurnTiming` says what they measure.
        recognition_ms: callTurn.stt_ms,
        model_ms: callTurn.llm_first_token_ms,
        tool_ms: from === null ? 0 : toolTimeBetween(tools, from, until),
        voice_ms: callTurn.tts_first_byte_ms,
        first_audio_ms: callTurn.total_ms,
        // -1, before all audio: there is no previous response, or its time is not known.
        ...wordsOfTurn(entries, callTurn.sounded_at_ms, turns[index - 1]?.sounded_at_ms ?? -1),
        interrupted: callTurn.interrupted,
        by: 'agent' as const,
      };
    }),
    unheard: entries.flatMap(({ start_ms, unheard }) =>
      unheard === null ? [] : [{ start_ms, text: unheard }],
    ),
    percentiles: spreadOf(turns.map(({ total_ms }) => total_ms).sort((a, b) => a - b)),
    agent_percentiles: agentReplyTimes.length === 0 ? null : spreadOf(agentReplyTimes),
  };
}

/** When the customer stopped speaking (milliseconds of the audio); null in calls of older releases. */
function turnStart({ sounded_at_ms, total_ms }: CallTurn): number | null {
  return sounded_at_ms === null ? null : Math.max(0, sounded_at_ms - total_ms);
}

/** How long the tool calls took together that began from `from` up to, but without, `until` (milliseconds). */
function toolTimeBetween(tools: readonly CallTool[], from: number, until: number): number {
  return tools
    .filter(({ start_ms }) => start_ms >= from && start_ms < until)
    .reduce((sum, { latency_ms }) => sum + latency_ms, 0);
}

/**
 * The words of a turn: the agent's response, which began at `soundedAtMs`, and what the customer said between the
 * beginnings of the previous response (`previousMs`) and of this one.
 */
function wordsOfTurn(
  entries: readonly TranscriptEntry[],
  soundedAtMs: number | null,
  previousMs: number,
): { heard: string; said: string } {
  if (soundedAtMs === null) return { heard: '', said: '' };
  const heard = entries.filter(
    ({ speaker, start_ms }) => speaker === 'customer' && start_ms >= previousMs && start_ms < soundedAtMs,
  );
  const said = entries.find(({ speaker, start_ms }) => speaker === 'agent' && start_ms === soundedAtMs);
  return {
    heard: heard
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join(' '),
    said: said?.text ?? '',
  };
}

/** The percentiles of sorted response times. */
function spreadOf(sorted: readonly number[]): z.infer<typeof spread> {
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}
