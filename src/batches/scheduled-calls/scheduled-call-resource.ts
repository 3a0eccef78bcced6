import { z } from 'zod';
import { FreeForm } from '#kernel/input/free-form.js';
import { instantOut } from '#kernel/input/fields.js';
import { RECIPIENT_REASONS } from '#batches/record/batch.js';
import { RECIPIENT_WIRE_STATUSES } from '#batches/record/recipient-status.js';

// The schemas of the responses about one call under `/batch/scheduled-calls`. `scheduled-call-answers.ts` builds the
// responses.

const ID = 'call_01kakb8x6te1tr7m3qf0c9w2ab';

const fields = {
  id: z.string(),
  call_id: z.string(),
  object: z.literal('scheduled_call'),
  batch_id: z.string().nullable(),
  batch_name: z.string().nullable(),
  schedule_id: z.string().nullable(),
  name: z.string().meta({ description: "Its own name, or the batch's." }),
  callee_name: z.string().nullable(),
  to_number: z.string(),
  phone_number: z.string(),
  from_number: z.string(),
  scheduled_time: z.string().nullable().meta({ description: 'As it was sent.' }),
  scheduled_at: instantOut,
  status: z.enum(RECIPIENT_WIRE_STATUSES).meta({
    description:
      'scheduled, paused, in_progress, completed, failed or cancelled; or the synonym that was last ' +
      'set.',
  }),
  agent_id: z.string(),
  agent_name: z.string(),
  attempts: z.int().meta({ description: 'How many attempts were made.' }),
  last_call_id: z
    .string()
    .nullable()
    .meta({ description: 'The call of the last attempt; null before the first.' }),
  duration: z
    .int()
    .nullable()
    .meta({ description: 'Seconds of the last conversation; null before the first attempt.' }),
  reason: z.enum(RECIPIENT_REASONS).nullable().meta({ description: 'Why nobody was reached.' }),
  error: z.string().nullable().meta({ description: 'The reason as a sentence.' }),
  metadata: FreeForm,
  created_at: instantOut,
  updated_at: instantOut,
};

const example = {
  id: ID,
  call_id: ID,
  object: 'scheduled_call',
  batch_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
  batch_name: 'December reminders',
  schedule_id: null,
  name: 'December reminders',
  callee_name: 'Ada Lovelace',
  to_number: '+14155550123',
  phone_number: '+14155550123',
  from_number: '+14155550100',
  scheduled_time: '2026-12-01T15:00:00Z',
  scheduled_at: '2026-12-01T15:00:00.000Z',
  status: 'scheduled',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  agent_name: 'Receptionist',
  attempts: 0,
  last_call_id: null,
  duration: null,
  reason: null,
  error: null,
  metadata: {},
  created_at: '2026-11-21T00:00:00.000Z',
  updated_at: '2026-11-21T00:00:00.000Z',
} as const;

/** A recipient or a scheduled single call (`QueuedCall` in openapi.json). */
export const scheduledCallResource = z.object(fields).meta({
  id: 'QueuedCall',
  description: 'One recipient of a batch, or a call that was requested for a time.',
  examples: [example],
});
export type ScheduledCallResource = z.infer<typeof scheduledCallResource>;

/** Response of `PUT /batch/scheduled-calls/{call_id}`. */
export const scheduledCallUpdated = z
  .object({
    success: z.literal(true),
    message: z.literal('scheduled call updated successfully'),
    ...fields,
  })
  .meta({ id: 'QueuedCallUpdated', description: 'A scheduled call that was changed.' });

/** Response of `DELETE /batch/scheduled-calls/{call_id}`. */
export const scheduledCallDeleted = z
  .object({
    success: z.literal(true),
    message: z.literal('scheduled call deleted successfully'),
    id: z.string(),
    call_id: z.string(),
    batch_id: z.string().nullable(),
    object: z.enum(['scheduled_call', 'batch']),
    deleted: z.literal(true),
    status: z.string().meta({ description: 'Its status now.', examples: ['cancelled'] }),
    cancelled_calls: z
      .int()
      .optional()
      .meta({ description: 'For a batch: how many of its calls had not ended and are cancelled.' }),
  })
  .meta({
    id: 'QueuedCallDeleted',
    description: 'A scheduled call or batch that was deleted.',
    examples: [
      {
        success: true,
        message: 'scheduled call deleted successfully',
        id: ID,
        call_id: ID,
        batch_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
        object: 'scheduled_call',
        deleted: true,
        status: 'cancelled',
      },
    ],
  });
export type ScheduledCallDeleted = z.infer<typeof scheduledCallDeleted>;
