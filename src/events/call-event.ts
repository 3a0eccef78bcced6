import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';

/* The schema and the examples of the events of a call's states, for the event catalogue. */

const EXAMPLE = {
  id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
  call_from: '+14155550100',
  call_to: '+14155550123',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  agent_name: 'Receptionist',
  status: 'completed',
  direction: 'outbound',
  call_type: 'voice',
  start_time: '2026-11-21T00:00:04.480Z',
  end_time: '2026-11-21T00:00:46.480Z',
  duration_seconds: 42,
  recording_url:
    'https://voice.example.com/api/calls/call_01kakb8x6te1tr7m3qf0c9w2af/recording/audio?token=rt_9c2e',
  transcript_url: 'https://voice.example.com/api/calls/call_01kakb8x6te1tr7m3qf0c9w2af/transcript',
  custom_metadata: { crm_id: '42' },
  call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
  ended_reason: 'customer_hangup',
  error: null,
  batch_id: null,
  schedule_id: null,
  parent_call_id: null,
  providers: { ai: 'builtin', model: null, voice: 'builtin', transcription: 'builtin', substituted: [] },
  answers: { coming: 'yes' },
  intent: 'confirm_appointment',
  resolution_achieved: true,
  sequence: 6,
};

/** `data` of the events of a call's states (openapi.json: `CallEventData`). */
export const callEventData = z
  .object({
    id: z.string().meta({ description: 'The id of the call.' }),
    call_from: z.string().meta({ description: 'Who calls, E.164.' }),
    call_to: z.string().meta({ description: 'Who is called, E.164.' }),
    agent_id: z.string().meta({ description: 'The agent that talks.' }),
    agent_name: z.string().meta({ description: 'The name of the agent.' }),
    status: z
      .enum(['initiated', 'connected', 'in_progress', 'completed', 'failed', 'missed', 'cancelled'])
      .meta({ description: 'The state that the call has entered.' }),
    direction: z.enum(['outbound', 'inbound']),
    call_type: z.string().meta({ description: 'Always `voice`.' }),
    start_time: instantOut
      .nullable()
      .meta({ description: 'When it was answered, or else when dialling began.' }),
    end_time: instantOut.nullable().meta({ description: 'When it ended; null until then.' }),
    duration_seconds: z.int().meta({ description: 'Seconds from answer to end.' }),
    recording_url: z.string().nullable().meta({
      description: 'Where its recording is read, signed; null when it is not recorded.',
    }),
    transcript_url: z.string().nullable().meta({
      description: 'Where its transcript is read; null when it is not transcribed.',
    }),
    custom_metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The `metadata` that was given with the call.' }),
    call_id: z.string().meta({ description: 'The same as `id`.' }),
    ended_reason: z.string().nullable().meta({ description: 'Why it ended; null until then.' }),
    error: z.string().nullable().meta({ description: 'What went wrong; null when nothing did.' }),
    batch_id: z.string().nullable().meta({ description: 'The batch it belongs to.' }),
    schedule_id: z.string().nullable().meta({ description: 'The schedule it belongs to.' }),
    parent_call_id: z.string().nullable().meta({
      description:
        'The call whose caller a person is asked to take over by this one; null for a call of its own.',
    }),
    providers: z
      .object({
        ai: z.string().meta({ description: 'What decided the words of the agent.' }),
        model: z.string().nullable().meta({ description: 'Its model; null for one without models.' }),
        voice: z.string().meta({ description: 'What spoke.' }),
        transcription: z.string().meta({ description: 'What recognised speech.' }),
        substituted: z
          .array(
            z.object({
              field: z.string(),
              asked: z.string().meta({ description: 'The provider that the agent or the call names.' }),
              used: z.string().meta({ description: 'The provider that took its place.' }),
            }),
          )
          .meta({
            description: 'Providers that are not configured here, and which one took the place of each.',
          }),
      })
      .nullable()
      .meta({ description: 'The providers that the call uses; null until the agent talks.' }),
    answers: z.record(z.string(), z.string()).meta({
      description:
        'What the caller answered; known when a call has ended in which an agent talked, else empty.',
    }),
    intent: z.string().nullable().meta({
      description: 'What came of the talk, where the agent says so; `call.analysis_complete` follows.',
    }),
    resolution_achieved: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the purpose of the call was achieved, where the agent says so.' }),
    sequence: z.int().meta({ description: 'Counts the events of one call: they may arrive in any order.' }),
  })
  .meta({ id: 'CallEventData', description: 'A call that has entered a state.', examples: [EXAMPLE] });

/** The fields of a call in which no agent has talked. */
const BEFORE_TALK = { providers: null, answers: {}, intent: null, resolution_achieved: null };

/** An example of `data` for each event; test deliveries send it. Fields that are not known yet are null. */
export const callEventExamples = {
  'call.initiated': unfinishedCall('initiated', { start_time: null, ...BEFORE_TALK, sequence: 2 }),
  'call.connected': unfinishedCall('connected', { ...BEFORE_TALK, sequence: 4 }),
  'call.in_progress': unfinishedCall('in_progress', {
    ...BEFORE_TALK,
    providers: EXAMPLE.providers,
    sequence: 5,
  }),
  'call.completed': EXAMPLE,
  'call.failed': {
    ...EXAMPLE,
    status: 'failed',
    duration_seconds: 0,
    ended_reason: 'busy',
    error: 'the number is busy',
    ...BEFORE_TALK,
    sequence: 4,
  },
  'call.missed': {
    ...EXAMPLE,
    status: 'missed',
    direction: 'inbound',
    duration_seconds: 0,
    ended_reason: 'caller_hangup',
    ...BEFORE_TALK,
    error: 'the caller hung up before the call was answered',
    sequence: 2,
  },
};

/** The example of a call that has not ended, with its status and other changed fields. */
function unfinishedCall(status: string, changes: Record<string, unknown>): Record<string, unknown> {
  return { ...EXAMPLE, status, end_time: null, duration_seconds: 0, ended_reason: null, ...changes };
}
