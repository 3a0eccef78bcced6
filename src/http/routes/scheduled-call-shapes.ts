import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import { flagQuery, instantField, instantOut, wholeNumberQuery } from '#kernel/input/fields.js';
import { historyEntry } from '#schedules/runs/executions/execution-resource.js';
import type { ScheduleFilter } from '#schedules/schedule-filter.js';
import { SCHEDULE_STATUSES } from '#schedules/record/schedule-machine.js';
import { cronField, timezoneField } from '#schedules/record/schedule-request.js';
import { scheduleResource } from '#schedules/schedule-resource.js';
import { anyNumber, anyOf, createdWithin, listOf, listQuery } from '#http/answers/lists.js';

/*
 * Schemas of the queries, bodies and answers of the routes for schedules (`/api/scheduled-calls`). Two serve other
 * routes too: `scheduledCallStatus` those for recipients of batches, `timezoneList` that for time zones.
 */

/** The most times in an answer with next runs, or with a preview. */
const MAX_SHOWN = 100;
/** The latest start of a preview, early enough that all its times have years of four digits. */
const LATEST_PREVIEW_MS = Date.parse('9000-01-01T00:00:00Z');

/** The path parameter of routes about one schedule. */
export const schedulePath = z.object({
  schedule_id: z
    .string()
    .meta({ description: 'The id of the schedule.', examples: ['sched_01kakb8x6te1tr7m3qf0c9w2ah'] }),
});

/** A status in queries for schedules and for recipients of batches: `pending` is another name for `scheduled`. */
export const scheduledCallStatus = z
  .enum(['pending', ...SCHEDULE_STATUSES])
  .transform((status) => (status === 'pending' ? ('scheduled' as const) : status));

/** The query of the list of schedules: its filters, order and page. */
export function scheduleListQuery(region?: CountryCode) {
  return listQuery.extend({
    status: anyOf(scheduledCallStatus).optional().meta({ description: 'Only schedules in these states.' }),
    type: anyOf(z.enum(['one_time', 'recurring']))
      .optional()
      .meta({ description: 'Only schedules of this type.' }),
    agent_id: anyOf(z.string().max(100)).optional().meta({ description: 'Only schedules of these agents.' }),
    phone_number: anyNumber(region)
      .optional()
      .meta({ description: 'Only schedules that call these numbers.' }),
    name: anyOf(z.string().max(200)).optional().meta({ description: 'Only schedules with these names.' }),
    from: instantField
      .optional()
      .meta({ description: 'Only schedules whose next run is at this instant or later.' }),
    to: instantField
      .optional()
      .meta({ description: 'Only schedules whose next run is before this instant.' }),
    q: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Text in the id, the number, the name or the description.' }),
    sort: z
      .enum(['created_at', 'next_execution_time'])
      .default('created_at')
      .meta({ description: '`next_execution_time`: soonest first, only those that have one.' }),
  });
}

/** Converts the validated query to the filter of the store. */
export function toScheduleFilter(
  principal: Principal,
  query: z.infer<ReturnType<typeof scheduleListQuery>>,
): ScheduleFilter {
  return {
    workspace: principal.workspace,
    status: query.status,
    kind: query.type,
    agentId: query.agent_id,
    phoneNumber: query.phone_number,
    name: query.name,
    nextFrom: query.from,
    nextTo: query.to,
    ...createdWithin(query),
    search: query.q,
  };
}

/** One page of schedules. */
export const scheduleList = listOf(scheduleResource, 'ScheduledCallList');

/** The answer to an action: the schedule, with `success` and a message. */
export const scheduleActed = scheduleResource
  .extend({ success: z.literal(true), message: z.string() })
  .meta({ id: 'ScheduledCallActed', description: 'A scheduled call after an action.' });

/** The answer to cancelling a schedule. */
export const scheduleCancelled = scheduleActed
  .extend({ deleted: z.literal(true) })
  .meta({ id: 'ScheduledCallCancelled', description: 'A cancelled scheduled call.' });

/** The query of cancelling a schedule. */
export const cancelQuery = z.object({
  hangup: flagQuery.default(false).meta({ description: 'Also end the call that is in progress.' }),
  purge: flagQuery
    .default(false)
    .meta({ description: 'Also remove the schedule and its history; its calls stay.' }),
});

/** One page of the executions of a schedule. */
export const executionHistory = z
  .object({
    schedule_id: z.string(),
    executions: z.array(historyEntry).meta({ description: 'Oldest first; the next run comes last.' }),
    object: z.literal('list'),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ExecutionHistory', description: 'The execution history of a schedule.' });

/** Schema of the query parameter `count`: how many times to list. */
const countQuery = (defaultCount: number) =>
  wholeNumberQuery(z.int().min(1).max(MAX_SHOWN))
    .default(defaultCount)
    .meta({ type: 'integer', description: 'How many to list.', examples: [defaultCount] });

/** The query of the next times of a schedule. */
export const nextRunsQuery = z.object({ count: countQuery(10) });

const nextExecution = z.object({
  utc: instantOut,
  local: z.string().meta({
    description: 'The local time, with its offset.',
    examples: ['2026-11-23T09:00:00.000+00:00'],
  }),
});

/** The next times of a schedule. */
export const nextRuns = z
  .object({
    schedule_id: z.string(),
    timezone: z.string(),
    next_executions: z.array(nextExecution),
  })
  .meta({ id: 'NextRuns', description: 'When a schedule will run next.' });

/** A cron expression to try, with its time zone and start. */
export const previewRequest = z
  .object({
    cron_expression: cronField,
    timezone: timezoneField.nullish(),
    after: instantField
      .refine((at) => at < LATEST_PREVIEW_MS, { message: 'must be before the year 9000' })
      .nullish()
      .meta({ description: 'The instant to start from; now, if omitted.' }),
    count: z
      .int()
      .min(1)
      .max(MAX_SHOWN)
      .nullish()
      .meta({ description: 'How many to list; 5 if omitted.', examples: [5] }),
  })
  .meta({
    id: 'RecurrencePreviewRequest',
    description: 'A cron expression to explain.',
    examples: [{ cron_expression: '0 9 * * MON-FRI', timezone: 'America/New_York', count: 5 }],
  });

/** The times that a cron expression matches. */
export const preview = z
  .object({
    cron_expression: z.string(),
    timezone: z.string(),
    description: z.string().meta({ examples: ['At 09:00, Monday through Friday'] }),
    next_executions: z.array(nextExecution),
  })
  .meta({ id: 'RecurrencePreview', description: 'The description and next times of a cron expression.' });

/** The names of all time zones that schedules accept. */
export const timezoneList = z
  .object({
    object: z.literal('list'),
    data: z.array(z.string()).meta({ description: 'IANA names; the most used come first.' }),
    has_more: z.literal(false),
    next_cursor: z.null(),
  })
  .meta({
    id: 'TimezoneList',
    description: 'The time zones that schedules understand.',
    examples: [
      { object: 'list', data: ['America/New_York', 'Europe/London'], has_more: false, next_cursor: null },
    ],
  });
