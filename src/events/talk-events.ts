import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';

/*
 * Schemas and examples of the events about a conversation, for the event catalogue: transcript, summary, analysis and
 * recording; and last `call.tool_called`.
 */

const CALL_ID = 'call_01kakb8x6te1tr7m3qf0c9w2af';
const ANALYSIS_EXAMPLE = {
  id: 'evt_01kakb8x6te1tr7m3qf0c9w2ar',
  call_id: CALL_ID,
  summary: 'Ada confirmed her visit.',
  sentiment: 'positive',
  intent: 'confirm_appointment',
  actionable_items: ['Send the address'],
  keywords: ['visit'],
  confidence_score: 0.93,
  resolution_achieved: true,
  answers: { coming: 'yes' },
  call_from: '+14155550100',
  call_to: '+14155550123',
  direction: 'outbound',
  status: 'completed',
  ended_reason: 'customer_hangup',
  custom_metadata: { crm_id: '42' },
  batch_id: null,
  schedule_id: null,
};
const TRANSCRIPT_EXAMPLE = {
  ...ANALYSIS_EXAMPLE,
  transcript: 'Agent: Shall we expect you?\nCustomer: Yes, I will come.',
  transcript_url: `https://voice.example.com/api/calls/${CALL_ID}/transcript`,
};

const RECORDING_EXAMPLE = {
  id: 'rec_01kakb8x6te1tr7m3qf0c9w2as',
  call_id: CALL_ID,
  recording_url: `https://voice.example.com/api/calls/${CALL_ID}/recording/audio?token=rt_9c2e`,
  duration: 42,
  size_bytes: 1_344_044,
  format: 'wav',
  is_complete: true,
  gaps: [],
  created_at: '2026-11-21T00:00:04.480Z',
};

/** The fields of an analysis, which the events about a transcript, a summary and an analysis share. */
const analysis = {
  id: z.string().meta({ description: 'The id of the event.' }),
  call_id: z.string().meta({ description: 'The call it is about.' }),
  summary: z.string().meta({ description: 'A few sentences on what happened.' }),
  sentiment: z.string().optional().meta({ description: 'positive, neutral or negative.' }),
  intent: z.string().optional().meta({ description: 'What the customer wanted or did.' }),
  actionable_items: z.array(z.string()).optional().meta({ description: 'What remains to be done.' }),
  keywords: z.array(z.string()).optional().meta({ description: 'The main words of the conversation.' }),
  confidence_score: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "The recogniser's confidence in the customer's words." }),
  resolution_achieved: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'Whether the purpose of the call was achieved; null if unknown.' }),
  answers: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'What the caller answered, as `answers` of a call.' }),
  call_from: z.string().meta({ description: 'Who called, E.164.' }),
  call_to: z.string().meta({ description: 'Who was called, E.164.' }),
  direction: z.enum(['outbound', 'inbound']),
  status: z.string().meta({ description: 'How the call ended.' }),
  ended_reason: z.string().nullable().meta({ description: 'Why it ended.' }),
  custom_metadata: z
    .record(z.string(), z.unknown())
    .meta({ description: 'The `metadata` that was given with the call.' }),
  batch_id: z.string().nullable().meta({ description: 'The batch it belongs to.' }),
  schedule_id: z.string().nullable().meta({ description: 'The schedule it belongs to.' }),
};

/** `data` of `call.analysis_complete`: the analysis without the transcript. */
export const analysisEventData = z.object(analysis).meta({
  id: 'AnalysisEventData',
  description: 'What a call was about.',
  examples: [ANALYSIS_EXAMPLE],
});

/** `data` of `call.transcript_ready` and of `call.summary_ready`. */
export const transcriptEventData = z
  .object({
    ...analysis,
    transcript: z
      .string()
      .optional()
      .meta({
        description:
          'The transcript, one line per utterance; omitted, with `truncated`, if the body would be too ' +
          'large.',
      }),
    transcript_url: z.string().meta({ description: 'The URL of the transcript.' }),
    truncated: z.literal(true).optional().meta({
      description: 'Whether the transcript was omitted; it can be read at `transcript_url`.',
    }),
  })
  .meta({
    id: 'TranscriptEventData',
    description: 'What was said in a call, and what it was about.',
    examples: [TRANSCRIPT_EXAMPLE],
  });

/** `data` of `call.recording_ready`. */
export const recordingEventData = z
  .object({
    id: z.string().meta({ description: 'The id of the recording.' }),
    call_id: z.string().meta({ description: 'The call that was recorded.' }),
    recording_url: z.string().meta({ description: 'A signed URL of the audio; it expires.' }),
    duration: z.int().meta({ description: 'Seconds.' }),
    size_bytes: z.int().meta({ description: 'The size of the file.' }),
    format: z.string().meta({ description: 'Such as `wav`.' }),
    is_complete: z.boolean().meta({ description: 'Whether all of the call is in it.' }),
    gaps: z
      .array(z.object({ start_ms: z.int(), end_ms: z.int().nullable() }))
      .meta({ description: 'Parts of the call that are not in it, in milliseconds from its beginning.' }),
    created_at: instantOut.meta({ description: 'When the recording began.' }),
  })
  .meta({
    id: 'RecordingEventData',
    description: 'A recording that can be fetched.',
    examples: [RECORDING_EXAMPLE],
  });

/** An example of `data` for each event above; test deliveries send it. */
export const talkEventExamples = {
  'call.transcript_ready': TRANSCRIPT_EXAMPLE,
  'call.recording_ready': RECORDING_EXAMPLE,
  'call.summary_ready': TRANSCRIPT_EXAMPLE,
  'call.analysis_complete': ANALYSIS_EXAMPLE,
};

/** An example of `data` of `call.tool_called` (a language model has used a tool); test deliveries send it. */
export const toolCalledExample = {
  call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  direction: 'outbound',
  custom_metadata: { crm_id: '42' },
  tool_call_id: 'call_h3bQ0',
  name: 'find_slot',
  arguments: '{"day":"2026-11-24"}',
  status: 'ok',
  result: '{"slots":["09:00"]}',
  started_at: '2026-11-21T00:00:21.120Z',
  latency_ms: 412,
};

/** `data` of `call.tool_called`. */
export const toolCalledData = z
  .object({
    call_id: z.string().meta({ description: 'The call in which it was called.' }),
    agent_id: z.string().meta({ description: 'The agent that talks.' }),
    direction: z.enum(['outbound', 'inbound']),
    custom_metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The `metadata` that was given with the call.' }),
    tool_call_id: z.string().meta({ description: 'The id that the model gave the call of the tool.' }),
    name: z.string().meta({ description: 'The name of the tool.' }),
    arguments: z.string().nullable().meta({
      description:
        'JSON text as the model wrote it, at most 2,000 characters; null in a call without transcript.',
    }),
    status: z
      .enum(['ok', 'failed', 'timed_out', 'refused'])
      .meta({ description: 'How it ended; `refused`: it was never run.' }),
    result: z.string().nullable().meta({
      description:
        'What the model was told, at most 2,000 characters, secrets masked; null in a call without transcript.',
    }),
    started_at: instantOut.meta({ description: 'When it was called.' }),
    latency_ms: z.int().meta({ description: 'How long it took.' }),
  })
  .meta({
    id: 'ToolCalledEventData',
    description: 'A call of a tool that is over.',
    examples: [toolCalledExample],
  });
