import { z } from 'zod';
import { ownWarningsField } from '#kernel/input/request-warnings.js';
import { FreeForm } from '#kernel/input/free-form.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { callWindowOut, toCallWindowOut } from '#policy/hours/call-window.js';
import { batchMachine, type BatchStatus } from '#batches/record/batch-machine.js';
import { batchStatistics } from '#batches/record/batch-statistics.js';
import type { BatchRow, RecipientRow } from '#batches/record/batch.js';
import { retryPolicy } from '#schedules/record/retry.js';
import { RECIPIENT_WIRE_STATUSES, recipientWireStatus } from '#batches/record/recipient-status.js';

// Batches as the API shows them: schemas for OpenAPI, and conversion from rows.

/** Number of recipients in the response for one batch; the others are at `/api/batches/{batch_id}/calls`. */
export const NUMBERS_SHOWN = 100;
/** Number of recipients per batch in a list: building more would delay the audio of live calls. */
export const NUMBERS_LISTED = 10;
/** Which recipients a response lists, for descriptions of its fields. */
const SHOWN = `The first ${NUMBERS_SHOWN} recipients; in lists, the first ${NUMBERS_LISTED}; without deleted ones`;

/** The statuses of batches in the API, which never shows a batch that is loading. */
export const BATCH_WIRE_STATUSES = batchMachine.states.filter((status) => status !== 'loading') as [
  Exclude<BatchStatus, 'loading'>,
  ...Exclude<BatchStatus, 'loading'>[],
];

const callee = z.object({
  phone_number: z.string(),
  name: z.string().nullable().meta({ description: 'Who is called.' }),
});
const calleeCall = z.object({
  id: z.string(),
  call_id: z.string(),
  phone_number: z.string(),
  name: z.string().nullable().meta({ description: 'Who is called.' }),
  status: z.enum(RECIPIENT_WIRE_STATUSES),
  scheduled_time: z.string().nullable(),
});

/** The fields of a batch in every response. */
const fields = {
  id: z.string(),
  batch_id: z.string(),
  call_id: z
    .string()
    .meta({ description: "The batch's own id: what `/batch/scheduled-calls/{call_id}` is asked for." }),
  object: z.literal('batch'),
  name: z.string(),
  status: z.string().meta({
    description: `One of ${BATCH_WIRE_STATUSES.join(', ')}; or the synonym that was last set.`,
    examples: ['scheduled'],
  }),
  from_number: z.string(),
  to_number: z.array(callee).meta({ description: `${SHOWN}.` }),
  scheduled_time: z.string().nullable().meta({ description: 'As it was sent.' }),
  scheduled_at: instantOut,
  timezone: z.string().nullable().meta({
    description: 'The zone that was named with its time; a new time without an offset is read in it.',
  }),
  agent_id: z.string(),
  agent_name: z.string(),
  call_ids: z.array(z.string()).meta({ description: 'The ids of their calls.' }),
  calls: z.array(calleeCall).meta({ description: 'The same recipients, with their call ids and statuses.' }),
  calls_has_more: z.boolean(),
  total_numbers: z.int(),
  successfully_called: z.int(),
  failed_calls: z.int(),
  avg_duration_seconds: z.int(),
  success_rate: z.number().min(0).max(1),
  cost_usd: z.number().meta({ description: 'What the calls cost, as far as it is known, in US dollars.' }),
  cost_is_complete: z.boolean().meta({ description: 'Whether `cost_usd` is all that they cost.' }),
  budget_usd: z
    .number()
    .nullable()
    .meta({ description: 'The known cost at which it pauses; null for none.' }),
  skipped_calls: z
    .int()
    .meta({ description: 'Numbers that were not called: twice in the list, or not allowed.' }),
  cancelled_calls: z.int(),
  pending_calls: z.int().meta({ description: 'Numbers that wait for their first or a further attempt.' }),
  live_calls: z.int().meta({ description: 'Numbers that are being called.' }),
  max_concurrency: z.int(),
  call_window: callWindowOut.nullable(),
  retry_policy: retryPolicy,
  pause_reason: z.string().nullable(),
  error: z.string().nullable().meta({ description: 'Why the batch was given up.' }),
  start_time: instantOut.nullable(),
  end_time: instantOut.nullable(),
  custom_metadata: FreeForm,
  warnings: ownWarningsField,
  created_at: instantOut,
  updated_at: instantOut,
};

const example = {
  id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
  batch_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
  call_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
  object: 'batch',
  name: 'December reminders',
  status: 'scheduled',
  from_number: '+14155550100',
  to_number: [{ phone_number: '+14155550123', name: 'Ada Lovelace' }],
  scheduled_time: '2026-12-01T15:00:00Z',
  scheduled_at: '2026-12-01T15:00:00.000Z',
  timezone: null,
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  agent_name: 'Receptionist',
  call_ids: ['call_01kakb8x6te1tr7m3qf0c9w2ab'],
  calls: [
    {
      id: 'call_01kakb8x6te1tr7m3qf0c9w2ab',
      call_id: 'call_01kakb8x6te1tr7m3qf0c9w2ab',
      phone_number: '+14155550123',
      name: 'Ada Lovelace',
      status: 'scheduled',
      scheduled_time: '2026-12-01T15:00:00Z',
    },
  ],
  calls_has_more: false,
  total_numbers: 1,
  successfully_called: 0,
  failed_calls: 0,
  avg_duration_seconds: 0,
  success_rate: 0,
  cost_usd: 0,
  cost_is_complete: true,
  budget_usd: null,
  skipped_calls: 0,
  cancelled_calls: 0,
  pending_calls: 1,
  live_calls: 0,
  max_concurrency: 10,
  call_window: null,
  retry_policy: {
    max_retries: 0,
    retry_delay: 300,
    exponential_backoff: false,
    retry_on: ['timeout', 'no_answer', 'busy'],
  },
  pause_reason: null,
  error: null,
  start_time: null,
  end_time: null,
  custom_metadata: {},
  created_at: '2026-11-21T00:00:00.000Z',
  updated_at: '2026-11-21T00:00:00.000Z',
} as const;

/** A batch (`Batch` in openapi.json). */
export const batchResource = z
  .object(fields)
  .meta({ id: 'Batch', description: 'A batch: many calls from one request.', examples: [example] });
export type BatchResource = z.infer<typeof batchResource>;

/** The fields of a response that confirms a request. */
const confirmation = (message: string) => ({ success: z.literal(true), message: z.literal(message) });

/** Response of `POST /batch/schedule-call`. */
export const batchScheduled = z.object({ ...confirmation('batch scheduled successfully'), ...fields }).meta({
  id: 'BatchScheduled',
  description: 'A batch that was accepted.',
  examples: [{ success: true, message: 'batch scheduled successfully', ...example }],
});

/** Response of `PUT /batch/scheduled-calls/{call_id}` for the id of a batch. */
export const batchUpdated = z
  .object({ ...confirmation('scheduled call updated successfully'), ...fields })
  .meta({ id: 'BatchUpdated', description: 'A batch that was changed.' });

/** A batch with its first recipients, and whether there are more. */
export interface BatchView {
  batch: BatchRow;
  recipients: readonly RecipientRow[];
  hasMore: boolean;
}

/** Builds the resource of a batch from its row and its first recipients. */
export function toBatchResource({ batch, recipients: shown, hasMore }: BatchView): BatchResource {
  return {
    id: batch.id,
    batch_id: batch.id,
    call_id: batch.id,
    object: 'batch',
    name: batch.name,
    status: batch.shown_status ?? batch.status,
    from_number: batch.from_phone,
    to_number: shown.map(({ phone_number, name }) => ({ phone_number, name })),
    scheduled_time: batch.scheduled_time,
    scheduled_at: toInstant(batch.scheduled_at),
    timezone: batch.timezone,
    agent_id: batch.agent_id,
    agent_name: batch.agent_name,
    call_ids: shown.map((recipient) => recipient.call_id),
    calls: shown.map((recipient) => ({
      id: recipient.call_id,
      call_id: recipient.call_id,
      phone_number: recipient.phone_number,
      name: recipient.name,
      status: recipientWireStatus(recipient, batch),
      scheduled_time: recipient.scheduled_time ?? batch.scheduled_time,
    })),
    calls_has_more: hasMore,
    ...batchStatistics(batch),
    budget_usd: batch.budget_usd,
    skipped_calls: batch.skipped,
    cancelled_calls: batch.cancelled,
    pending_calls: batch.waiting,
    live_calls: batch.in_flight,
    max_concurrency: batch.max_concurrency,
    call_window: batch.call_window && toCallWindowOut(batch.call_window),
    retry_policy: batch.retry_policy,
    pause_reason: batch.pause_reason,
    error: batch.error,
    start_time: toInstantOrNull(batch.started_at ?? batch.initiated_at),
    end_time: toInstantOrNull(batch.ended_at),
    custom_metadata: batch.metadata,
    created_at: toInstant(batch.created_at),
    updated_at: toInstant(batch.updated_at),
  };
}
