import { z } from 'zod';
import { EVENT_TYPE_NAMES, NOTIFICATION_TYPE_NAMES } from '#events/event-types.js';
import { steeringMode } from '#calls/resources/steering-mode.js';
import { instantOut } from '#kernel/input/fields.js';
import { transcriptEntryResource } from '#calls/resources/talk-resource.js';
import { WIRE_STATUSES } from '#calls/resources/call-resource.js';

const callId = z.string().meta({ description: 'The call it is about.' });

/**
 * The schema of the data of each event of the live stream, by event name (docs/live.md). `LiveService` publishes them;
 * the OpenAPI document and the console use them.
 */
export const LIVE_EVENTS = {
  'call.state': z.object({
    call_id: callId,
    status: z.enum(WIRE_STATUSES).meta({ description: 'The state that the call has entered.' }),
    at: instantOut.meta({ description: 'When it entered it.' }),
    from_number: z.string(),
    to_number: z.string(),
    agent_id: z.string(),
    direction: z.enum(['outbound', 'inbound']),
    batch_id: z.string().nullable(),
    ended_reason: z.string().nullable(),
  }),
  'call.transcript': z.object({
    call_id: callId,
    entry: transcriptEntryResource.meta({ description: 'What was said.' }),
  }),
  'call.partial': z.object({
    call_id: callId,
    speaker: z.enum(['agent', 'customer']),
    text: z.string().meta({ description: 'What is understood so far of what is being said.' }),
  }),
  'call.step': z.object({
    call_id: callId,
    step: z.string().meta({ description: 'The step of the playbook that waits for an answer.' }),
  }),
  'call.tool': z.object({
    call_id: callId,
    name: z.string().meta({ description: 'The name of the tool.' }),
    status: z.string().meta({ description: '`ok`, `failed`, `timed_out` or `refused`.' }),
    latency_ms: z.int().meta({ description: 'How long it took, in milliseconds.' }),
  }),
  'call.mode': z.object({
    call_id: callId,
    mode: steeringMode,
  }),
  'call.transfer': z.object({
    call_id: callId,
    to: z.string().meta({ description: 'The number of the person, E.164.' }),
    status: z.enum(['asked', 'done', 'failed']).meta({ description: 'What came of it so far.' }),
    leg_call_id: z.string().nullable().meta({ description: 'The call to them; null for a cold transfer.' }),
  }),
  'batch.progress': z.object({
    batch_id: z.string(),
    status: z.string(),
    total_numbers: z.int(),
    successfully_called: z.int(),
    failed_calls: z.int(),
    skipped_calls: z.int().meta({ description: 'Numbers that were not called.' }),
    cancelled_calls: z.int(),
    pending_calls: z.int().meta({ description: 'Numbers that wait for their turn.' }),
    live_calls: z.int().meta({ description: 'Numbers that are being called.' }),
    success_rate: z.number(),
    avg_duration_seconds: z.int(),
  }),
  delivery: z.object({
    webhook_id: z.string().meta({ description: 'The webhook that it went to.' }),
    event_type: z
      .enum([...EVENT_TYPE_NAMES, ...NOTIFICATION_TYPE_NAMES])
      .meta({ description: 'What was delivered.' }),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .meta({ description: 'How the delivery stands: `pending` is tried again.' }),
    attempt: z.int().meta({ description: 'The number of the attempt, from 1.' }),
  }),
  /** Sent to a reconnecting client whose missed messages are lost: it must load the state again. */
  sync: z.object({}),
} as const satisfies Record<string, z.ZodObject>;

export type LiveEventName = keyof typeof LIVE_EVENTS;
export const LIVE_EVENT_NAMES = Object.keys(LIVE_EVENTS) as [LiveEventName, ...LiveEventName[]];

/** A message of the live stream; `callId` and `batchId` are what clients filter by. */
export type LiveMessage = {
  [Name in LiveEventName]: {
    name: Name;
    workspace: string;
    callId: string | null;
    batchId: string | null;
    data: z.infer<(typeof LIVE_EVENTS)[Name]>;
  };
}[LiveEventName];
