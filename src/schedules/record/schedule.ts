import { z } from 'zod';
import { FreeForm } from '#kernel/input/free-form.js';
import { CallWindow } from '#policy/hours/call-window.js';
import { jsonColumn } from '#store/statements/columns.js';
import { RETRY_REASONS, retryPolicyInput } from './retry.js';
import { EXECUTION_STATUSES, SCHEDULE_STATUSES } from './schedule-machine.js';

/** What `webhook_url` may be told (Interface: Scheduled call). */
export const WEBHOOK_EVENTS = ['started', 'completed', 'failed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const text = z.string();
const instant = z.number().int();

/** What a call that was agreed on in another has in common with it: above all, whether anything of it is kept. */
export const KeptCallOptions = z.object({
  record_call: z.boolean(),
  record_storage: z.enum(['local', 's3']).optional(),
  enable_transcription: z.boolean(),
  transcription_provider: text,
  timeout_seconds: z.number().int(),
  silence_timeout_seconds: z.number().int(),
});
export type KeptCallOptions = z.infer<typeof KeptCallOptions>;

/** A schedule as its row holds it; instants are epoch milliseconds. */
export const ScheduleRow = z.object({
  id: text,
  workspace: text,
  kind: z.enum(['one_time', 'recurring']),
  status: z.enum(SCHEDULE_STATUSES),
  /** The word for its status that a client asked for under `/batch/scheduled-calls`. */
  shown_status: text.nullable(),
  agent_id: text,
  phone_number: text,
  from_phone: text.nullable(),
  name: text.nullable(),
  description: text.nullable(),
  customer_context: jsonColumn(FreeForm),
  metadata: jsonColumn(FreeForm),
  /** As it was sent; null for recurring ones. */
  scheduled_time: text.nullable(),
  scheduled_at: instant.nullable(),
  dst_adjusted: z.enum(['gap', 'overlap']).nullable(),
  cron_expression: text.nullable(),
  timezone: text,
  /** Of the data by which `next_run_at` was found. */
  time_zone_version: text,
  max_occurrences: z.number().int().nullable(),
  occurrences: z.number().int(),
  grace_seconds: z.number().int(),
  retry_policy: jsonColumn(retryPolicyInput),
  /** The hours that the client asked for; null for those of the service. */
  call_window: jsonColumn(CallWindow).nullable(),
  /** Those of the call in which it was agreed on; null for the usual ones. */
  call_options: jsonColumn(KeptCallOptions).nullable(),
  /** Of the notification target; null without a `webhook_url`. */
  webhook_id: text.nullable(),
  webhook_url: text.nullable(),
  webhook_events: jsonColumn(z.array(z.enum(WEBHOOK_EVENTS))),
  /** Occurrences up to this instant are used up; it never goes back, so that a clock that does repeats nothing. */
  planned_after: instant,
  /** Kept while paused. */
  next_run_at: instant.nullable(),
  /** How many runs there were; numbers the next one. */
  runs: z.number().int(),
  last_run_at: instant.nullable(),
  last_status: z.enum(EXECUTION_STATUSES).nullable(),
  last_call_id: text.nullable(),
  paused_at: instant.nullable(),
  cancelled_at: instant.nullable(),
  /** When it was deleted under `/batch/scheduled-calls`. */
  handle_deleted_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type ScheduleRow = z.infer<typeof ScheduleRow>;

/** One attempt of one run. */
export const ExecutionRow = z.object({
  id: text,
  workspace: text,
  schedule_id: text,
  /** Numbers the runs of a schedule; all attempts of a run have the same. */
  run: z.number().int(),
  attempt: z.number().int(),
  /** What the run began with. */
  origin: z.enum(['schedule', 'manual']),
  /** Why the attempt before this one was not enough. */
  reason: z.enum(RETRY_REASONS).nullable(),
  status: z.enum(EXECUTION_STATUSES),
  /** When it is meant to be. */
  planned_at: instant,
  /** When the queue gives it out next. */
  due_at: instant,
  started_at: instant.nullable(),
  late_ms: z.number().int().nullable(),
  call_id: text.nullable(),
  /** Seconds of conversation. */
  duration: z.number().int().nullable(),
  error: text.nullable(),
  finished_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type ExecutionRow = z.infer<typeof ExecutionRow>;
