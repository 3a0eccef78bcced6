import { z } from 'zod';
import { FreeForm } from '#kernel/input/free-form.js';
import { CallWindow } from '#policy/hours/call-window.js';
import { jsonColumn } from '#store/statements/columns.js';
import { RETRY_REASONS, retryPolicyInput } from './retry.js';
import { EXECUTION_STATUSES, SCHEDULE_STATUSES } from './schedule-machine.js';

// Rows of schedules and of their executions. A schedule makes calls at times of its own: once, or by a cron expression.
// Each occurrence, and each start by a client's command, is a run; each attempt of a run is an execution.

/** Events that `webhook_url` may receive. */
export const WEBHOOK_EVENTS = ['started', 'completed', 'failed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const text = z.string();
const instant = z.number().int();

/** Options that a call-back inherits from the call in which it was agreed. */
export const KeptCallOptions = z.object({
  record_call: z.boolean(),
  record_storage: z.enum(['local', 's3']).optional(),
  enable_transcription: z.boolean(),
  transcription_provider: text,
  timeout_seconds: z.number().int(),
  silence_timeout_seconds: z.number().int(),
});
export type KeptCallOptions = z.infer<typeof KeptCallOptions>;

/** Row of a schedule; instants are epoch milliseconds. */
export const ScheduleRow = z.object({
  id: text,
  workspace: text,
  kind: z.enum(['one_time', 'recurring']),
  status: z.enum(SCHEDULE_STATUSES),
  /**
   * The status word that a client chose last under `/batch/scheduled-calls`; null after another command, a new start or
   * a suppression. It is shown as long as it fits the status; see `inChosenWord`.
   */
  shown_status: text.nullable(),
  agent_id: text,
  phone_number: text,
  from_phone: text.nullable(),
  name: text.nullable(),
  description: text.nullable(),
  customer_context: jsonColumn(FreeForm),
  metadata: jsonColumn(FreeForm),
  /** The time as the request wrote it; null for recurring schedules. */
  scheduled_time: text.nullable(),
  /** The instant of `scheduled_time`. */
  scheduled_at: instant.nullable(),
  /** Set if a clock change skips or repeats the local time of `scheduled_time`. */
  dst_adjusted: z.enum(['gap', 'overlap']).nullable(),
  cron_expression: text.nullable(),
  timezone: text,
  /** Version of the time-zone data behind `next_run_at`. */
  time_zone_version: text,
  max_occurrences: z.number().int().nullable(),
  /** Occurrences that were dialled, up to `max_occurrences`; without manual runs. */
  occurrences: z.number().int(),
  grace_seconds: z.number().int(),
  retry_policy: jsonColumn(retryPolicyInput),
  /** The requested calling hours; null for those of the service. */
  call_window: jsonColumn(CallWindow).nullable(),
  /** Options of a call-back; null for the defaults. */
  call_options: jsonColumn(KeptCallOptions).nullable(),
  /** Id of the notification target; null without a `webhook_url`. */
  webhook_id: text.nullable(),
  webhook_url: text.nullable(),
  webhook_events: jsonColumn(z.array(z.enum(WEBHOOK_EVENTS))),
  /**
   * Occurrences up to this instant are used up, so that a clock set back repeats none. Lowered only by `planEarlier`,
   * which skips occurrences that have run.
   */
  planned_after: instant,
  /** The next planned run, also while the schedule is paused. */
  next_run_at: instant.nullable(),
  /** Number of runs, including the planned run. A new run gets the next number. */
  runs: z.number().int(),
  last_run_at: instant.nullable(),
  last_status: z.enum(EXECUTION_STATUSES).nullable(),
  last_call_id: text.nullable(),
  paused_at: instant.nullable(),
  cancelled_at: instant.nullable(),
  /** When the schedule was deleted under `/batch/scheduled-calls`. */
  handle_deleted_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type ScheduleRow = z.infer<typeof ScheduleRow>;

/** Row of an execution: one attempt of one run. */
export const ExecutionRow = z.object({
  id: text,
  workspace: text,
  schedule_id: text,
  /** Number of the run; all its attempts share it. */
  run: z.number().int(),
  /** Number of the attempt within its run, from 1. */
  attempt: z.number().int(),
  /** The cause of the run: its time, or a client's command. */
  origin: z.enum(['schedule', 'manual']),
  /** For a retry: how the previous attempt ended. */
  reason: z.enum(RETRY_REASONS).nullable(),
  status: z.enum(EXECUTION_STATUSES),
  /** The planned instant. */
  planned_at: instant,
  /** The instant from which the scheduler may claim the execution. */
  due_at: instant,
  started_at: instant.nullable(),
  /** How late it started. */
  late_ms: z.number().int().nullable(),
  call_id: text.nullable(),
  /** Seconds of conversation. */
  duration: z.number().int().nullable(),
  /** Why it did not succeed: an ended reason, or a sentence. */
  error: text.nullable(),
  finished_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type ExecutionRow = z.infer<typeof ExecutionRow>;
