import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant } from '#kernel/time/clock.js';
import type { CallRow } from '#calls/record/call.js';
import { LIFE_CYCLE_TYPES } from '#calls/record/life-cycle-log.js';
import type { CallEvent, TranscriptEntry } from '#calls/talk/talk-rows.js';
import type { ModelUse } from '#calls/record/call-cost.js';
import type { CallTool, ModelTurn } from '#calls/talk/model-rows.js';
import { shownText, toOffset } from '#calls/talk/transcript-formats.js';

// The resources about the talk of a call, for the routes below `/api/calls/{call_id}`: life-cycle log, turns,
// transcript, tool calls and usage of language models.

/** The types of log entries that have data, each with its data, as text for the API's document. */
const TYPES_WITH_DATA = Object.entries(LIFE_CYCLE_TYPES)
  .filter(([, data]) => data !== 'nothing')
  .map(([type, data]) => `\`${type}\`: ${data}.`)
  .join(' ');

/** An entry of a call's life-cycle log (openapi.json, `CallEvent`). */
export const callEventResource = z
  .object({
    id: z.string().meta({ description: 'Call id and sequence number.' }),
    type: z.string().meta({
      description: `One of ${Object.keys(LIFE_CYCLE_TYPES)
        .map((type) => `\`${type}\``)
        .join(', ')}.`,
      examples: ['state_changed'],
    }),
    from: z.string().nullable(),
    to: z.string().nullable(),
    at: instantOut,
    data: z.record(z.string(), z.unknown()).meta({
      description: `Details by type. ${TYPES_WITH_DATA}`,
    }),
  })
  .meta({ id: 'CallEvent', description: 'An event of a call.' });

/** Builds the resource of one log entry. */
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

/**
 * The times of one turn of a call: the parts of the agent's response. `total_ms` is the sum of the parts, plus at most
 * 40 ms until the first sound is sent.
 */
export const callTurnResource = z
  .object({
    turn: z.int(),
    end_of_turn_ms: milliseconds("The silence waited for before the customer's turn was over."),
    stt_ms: milliseconds('To the final words.'),
    llm_first_token_ms: milliseconds('To the first sentence of the answer.'),
    tts_first_byte_ms: milliseconds('To its first sound.'),
    total_ms: milliseconds('From the last voiced sample of the customer to the first of the agent.'),
    interrupted: z.boolean(),
    sounded_at_ms: z
      .int()
      .nullable()
      .meta({ description: 'When its first sound left, in milliseconds of the call; null in older calls.' }),
  })
  .meta({ id: 'CallTurn', description: 'How long one response took, by its parts.' });

/** An entry of a transcript (openapi.json, `TranscriptEntry`). */
export const transcriptEntryResource = z
  .object({
    speaker: z.enum(['agent', 'customer']),
    text: z.string().meta({
      description: 'What was said and could be heard; `[not understood]` if it was not understood.',
    }),
    timestamp: z.string().meta({ description: 'Offset from the start of the call, `H:MM:SS`.' }),
    confidence: z.number().min(0).max(1),
    start_ms: z.int(),
    end_ms: z.int(),
    interrupted: z
      .boolean()
      .meta({ description: 'Whether the customer interrupted it; the text ends there.' }),
    language: z.string().optional().meta({
      description:
        'The language it was said in, as the recogniser tells it; for the agent a BCP 47 tag, where it has several.',
    }),
    by: z.enum(['operator', 'person']).optional().meta({
      description:
        'Who spoke in the place of the agent: an operator of the service, or a person on another line.',
    }),
  })
  .meta({ id: 'TranscriptEntry', description: 'One utterance.' });

/** A tool call by the language model. */
const toolEntryResource = z
  .object({
    role: z.literal('tool').meta({ description: 'What this is.' }),
    id: z.string().meta({ description: 'The id that the model gave the call of the tool.' }),
    name: z.string().meta({ description: 'The name of the tool.' }),
    arguments: z.string().meta({ description: 'What it was called with: JSON, as the model wrote it.' }),
    status: z.string().meta({ description: '`ok`, `failed`, `timed_out` or `refused`.' }),
    result: z.string().meta({ description: 'What the model was told, at most 2,000 characters.' }),
    latency_ms: z.int().meta({ description: 'How long it took, in milliseconds.' }),
    timestamp: z.string().meta({ description: 'Offset from the start of the call, `H:MM:SS`.' }),
    start_ms: z.int(),
  })
  .meta({ id: 'TranscriptTool', description: 'A call of a tool.' });

/** The response of `GET /api/calls/{call_id}/transcript` (openapi.json, `Transcript`). */
export const transcriptResource = z
  .object({
    call_id: z.string(),
    transcript: z.array(transcriptEntryResource),
    tools: z
      .array(toolEntryResource)
      .meta({ description: 'The tools that the language model called, in order.' }),
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
        tools: [],
        id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        object: 'transcript',
        status: 'completed',
        language: 'en-US',
      },
    ],
  });

/** Builds the response from the call and its stored transcript, in order. */
export function toTranscriptResource(
  call: CallRow,
  entries: readonly TranscriptEntry[],
  tools: readonly CallTool[],
): z.infer<typeof transcriptResource> {
  const spokenEntries = entries.map((entry) => ({
    speaker: entry.speaker,
    text: shownText(entry.text),
    timestamp: toOffset(entry.start_ms),
    confidence: entry.confidence,
    start_ms: entry.start_ms,
    end_ms: entry.end_ms,
    interrupted: entry.interrupted,
    ...(entry.language && { language: entry.language }),
    ...(entry.spoken_by && { by: entry.spoken_by }),
  }));
  return {
    call_id: call.id,
    transcript: spokenEntries,
    tools: tools.map(toToolEntry),
    id: call.id,
    object: 'transcript',
    status: call.enable_transcription ? (call.ended_at === null ? 'pending' : 'completed') : 'disabled',
    language: call.language,
  };
}

function toToolEntry(tool: CallTool): z.infer<typeof toolEntryResource> {
  return {
    role: 'tool',
    id: tool.tool_call_id,
    name: tool.name,
    arguments: tool.arguments,
    status: tool.status,
    result: tool.result,
    latency_ms: tool.latency_ms,
    timestamp: toOffset(tool.start_ms),
    start_ms: tool.start_ms,
  };
}

const tokens = (description: string) => z.int().nullable().meta({ description });

/** The response of `GET /api/calls/{call_id}/usage`: the use of language models, in the units of the providers. */
export const callUsageResource = z
  .object({
    call_id: z.string(),
    object: z.literal('usage'),
    model: z
      .array(
        z.object({
          provider: z.string().meta({ description: 'The provider of the model.' }),
          model: z.string().meta({ description: 'The name of the model.' }),
          requests: z.int().meta({ description: 'How often it was asked.' }),
          input_tokens: tokens('Tokens of what it was given; null where the provider did not count them.'),
          cached_input_tokens: tokens('Those of them that it had cached; null where they were not counted.'),
          output_tokens: tokens('Tokens of its answers; null where they were not counted.'),
        }),
      )
      .meta({ description: 'By language model.' }),
    turns: z
      .array(
        z.object({
          turn: z.int().meta({ description: 'Of the turns in which a model was asked, which one, from 1.' }),
          provider: z.string().meta({ description: 'The provider of the model.' }),
          model: z.string().meta({ description: 'The name of the model.' }),
          rounds: z.int().meta({ description: 'How often it was asked: once, and once more after tools.' }),
          input_tokens: tokens('Tokens of what it was given; null where the provider did not count them.'),
          cached_input_tokens: tokens('Those of them that it had cached; null where they were not counted.'),
          output_tokens: tokens('Tokens of its answers; null where they were not counted.'),
          first_token_ms: z
            .int()
            .nullable()
            .meta({ description: 'How long its first answer took to begin; null where none came.' }),
        }),
      )
      .meta({ description: 'Turn by turn; more than one entry where another model has taken over.' }),
  })
  .meta({
    id: 'CallUsage',
    description: 'What a call has used, in the units of its providers.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        object: 'usage',
        model: [
          {
            provider: 'openai',
            model: 'gpt-4.1',
            requests: 7,
            input_tokens: 3120,
            cached_input_tokens: 1024,
            output_tokens: 214,
          },
        ],
        turns: [
          {
            turn: 1,
            provider: 'openai',
            model: 'gpt-4.1',
            rounds: 2,
            input_tokens: 810,
            cached_input_tokens: 0,
            output_tokens: 41,
            first_token_ms: 420,
          },
        ],
      },
    ],
  });

/** Builds the response from the use of language models, by model and by turn. */
export function toUsageResource(
  callId: string,
  { uses, turns }: { uses: readonly ModelUse[]; turns: readonly ModelTurn[] },
): z.infer<typeof callUsageResource> {
  return { call_id: callId, object: 'usage', model: [...uses], turns: [...turns] };
}
