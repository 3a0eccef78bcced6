import { z } from 'zod';
import { ownWarningsField, withWarnings, type RequestWarning } from '#kernel/input/request-warnings.js';
import { FreeForm } from '#kernel/input/free-form.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { callWindowOut, toCallWindowOut } from '#policy/hours/call-window.js';
import { describeCron } from '#schedules/recurrence/describe-cron.js';
import { nextOccurrence } from '#schedules/runs/executions/plan.js';
import { retryPolicy } from '#schedules/record/retry.js';
import { EXECUTION_STATUSES, SCHEDULE_STATUSES } from '#schedules/record/schedule-machine.js';
import { WEBHOOK_EVENTS, type ScheduleRow, type ExecutionRow } from '#schedules/record/schedule.js';

// Schedules as the API shows them: schemas for OpenAPI, and conversion from rows.

/** The number of next occurrences that a recurring schedule shows. */
const SHOWN_OCCURRENCES = 3;

/** Status of a run that has started or is over. */
const lastStatus = z.enum(EXECUTION_STATUSES).exclude(['pending', 'held']);

/** A schedule (`ScheduledCall` in openapi.json). */
export const scheduleResource = z
  .object({
    id: z.string(),
    schedule_id: z.string(),
    object: z.literal('scheduled_call'),
    type: z
      .enum(['one_time', 'recurring'])
      .meta({ description: 'Whether it is placed once, or by a cron expression.' }),
    status: z.enum(SCHEDULE_STATUSES),
    agent_id: z.string(),
    agent_name: z.string().nullable(),
    phone_number: z.string(),
    from_phone: z.string().nullable(),
    scheduled_time: z.string().nullable().meta({ description: 'As it was sent; null for recurring ones.' }),
    scheduled_at: instantOut.nullable().meta({ description: 'The same instant in UTC.' }),
    dst_adjusted: z
      .enum(['gap', 'overlap'])
      .nullable()
      .meta({ description: 'Whether the clock change skips the local time or repeats it.' }),
    timezone: z.string(),
    cron_expression: z.string().nullable(),
    cron_description: z
      .string()
      .nullable()
      .meta({ examples: ['At 09:00, Monday through Friday'] }),
    max_occurrences: z.int().nullable(),
    occurrences: z
      .int()
      .meta({ description: 'Runs that were dialled, not counting retries and manual runs.' }),
    next_execution_time: instantOut.nullable(),
    paused_next_execution_time: instantOut
      .nullable()
      .meta({ description: 'While paused: when the next run would have been.' }),
    next_executions: z
      .array(instantOut)
      .optional()
      .meta({ description: 'For a single recurring schedule: its next times.' }),
    last_execution_time: instantOut.nullable(),
    last_status: lastStatus.nullable(),
    call_id: z.string().nullable().meta({ description: 'The last call that it made.' }),
    name: z.string().nullable(),
    description: z.string().nullable(),
    customer_context: FreeForm,
    metadata: FreeForm,
    retry_policy: retryPolicy,
    call_window: callWindowOut
      .nullable()
      .meta({ description: 'When people may be called; null for the calling hours of the service.' }),
    grace_seconds: z.int(),
    webhook_url: z.string().nullable(),
    webhook_events: z.array(z.enum(WEBHOOK_EVENTS)),
    warnings: ownWarningsField,
    webhook_secret: z.string().optional().meta({
      description: 'The secret that notifications are signed with; only in the response that creates it.',
    }),
    paused_at: instantOut.nullable(),
    cancelled_at: instantOut.nullable(),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({ id: 'ScheduledCall', description: 'A call that is placed at a time, once or repeatedly.' });
export type ScheduleResource = z.infer<typeof scheduleResource>;

/** The input of a schedule's response. */
export interface ScheduleRecord {
  schedule: ScheduleRow;
  /** Null if the agent is gone. */
  agentName: string | null;
}

/** The response for a schedule. While paused its next time is a separate field, since nothing is due then. */
export function toScheduleResource({ schedule, agentName }: ScheduleRecord): ScheduleResource {
  const isPaused = schedule.status === 'paused';
  return {
    id: schedule.id,
    schedule_id: schedule.id,
    object: 'scheduled_call',
    type: schedule.kind,
    status: schedule.status,
    agent_id: schedule.agent_id,
    agent_name: agentName,
    phone_number: schedule.phone_number,
    from_phone: schedule.from_phone,
    scheduled_time: schedule.scheduled_time,
    scheduled_at: toInstantOrNull(schedule.scheduled_at),
    dst_adjusted: schedule.dst_adjusted,
    timezone: schedule.timezone,
    cron_expression: schedule.cron_expression,
    cron_description: schedule.cron_expression === null ? null : describeCron(schedule.cron_expression),
    max_occurrences: schedule.max_occurrences,
    occurrences: schedule.occurrences,
    next_execution_time: isPaused ? null : toInstantOrNull(schedule.next_run_at),
    paused_next_execution_time: isPaused ? toInstantOrNull(schedule.next_run_at) : null,
    last_execution_time: toInstantOrNull(schedule.last_run_at),
    last_status: lastStatusOf(schedule),
    call_id: schedule.last_call_id,
    name: schedule.name,
    description: schedule.description,
    customer_context: schedule.customer_context,
    metadata: schedule.metadata,
    retry_policy: schedule.retry_policy,
    call_window: schedule.call_window && toCallWindowOut(schedule.call_window),
    grace_seconds: schedule.grace_seconds,
    webhook_url: schedule.webhook_url,
    webhook_events: schedule.webhook_events,
    paused_at: toInstantOrNull(schedule.paused_at),
    cancelled_at: toInstantOrNull(schedule.cancelled_at),
    created_at: toInstant(schedule.created_at),
    updated_at: toInstant(schedule.updated_at),
  };
}

/** The status of the last run; a planned run is not the last run. */
function lastStatusOf({ last_status: status }: ScheduleRow): ScheduleResource['last_status'] {
  return status === 'pending' || status === 'held' ? null : status;
}

/** The response for a single schedule; a recurring one with its next occurrences. */
export function toWholeSchedule(
  record: ScheduleRecord,
  {
    webhookSecret = null,
    warnings = [],
  }: { webhookSecret?: string | null; warnings?: RequestWarning[] } = {},
): ScheduleResource {
  const resource = toScheduleResource(record);
  const nextExecutions = nextInstants(record.schedule).map(toInstant);
  const whole = {
    ...resource,
    ...(record.schedule.kind === 'recurring' ? { next_executions: nextExecutions } : {}),
    ...(webhookSecret === null ? {} : { webhook_secret: webhookSecret }),
  };
  return withWarnings(whole, warnings);
}

/** The next instants of a schedule, at most `count`; none while it is paused, in progress or over. */
export function nextInstants(schedule: ScheduleRow, count = SHOWN_OCCURRENCES): number[] {
  const first = schedule.status === 'scheduled' ? schedule.next_run_at : null;
  if (first === null) return [];
  const left = schedule.max_occurrences === null ? count : schedule.max_occurrences - schedule.occurrences;
  const instants = [first];
  while (instants.length < Math.min(count, left)) {
    const next = nextOccurrence(schedule, instants.at(-1)!);
    if (next === null) break;
    instants.push(next);
  }
  return instants;
}

/** Response of `POST /api/scheduled-calls/{schedule_id}/trigger`. */
export const triggered = z
  .object({
    success: z.literal(true),
    message: z.literal('scheduled call triggered'),
    schedule_id: z.string(),
    execution_id: z.string(),
    call_id: z.string(),
    status: z.literal('in_progress'),
    triggered_at: instantOut,
  })
  .meta({
    id: 'ScheduledCallTriggered',
    description: 'An extra run that has begun.',
    examples: [
      {
        success: true,
        message: 'scheduled call triggered',
        schedule_id: 'sched_01kakb8x6te1tr7m3qf0c9w2ah',
        execution_id: 'exec_01kakb8x6te1tr7m3qf0c9w2aj',
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2ak',
        status: 'in_progress',
        triggered_at: '2026-11-21T00:00:00.000Z',
      },
    ],
  });
export type Triggered = z.infer<typeof triggered>;

/** Builds the response of a trigger from the schedule and its new execution. */
export function toTriggered(schedule: ScheduleRow, execution: ExecutionRow): Triggered {
  return {
    success: true,
    message: 'scheduled call triggered',
    schedule_id: schedule.id,
    execution_id: execution.id,
    call_id: schedule.last_call_id!,
    status: 'in_progress',
    triggered_at: toInstant(execution.planned_at),
  };
}
