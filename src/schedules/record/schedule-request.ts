import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import {
  metadataField,
  optional,
  optionalWithDefault,
  phoneNumberField,
  receiverUrlField,
  textField,
  timezoneField as zoneOfTimes,
  writtenTimeField,
} from '#kernel/input/fields.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import { callWindowField } from '#policy/hours/call-window.js';
import { readCron } from '#schedules/recurrence/cron-grammar.js';
import { NO_RETRIES, retryPolicyInput } from './retry.js';
import { WEBHOOK_EVENTS } from './schedule.js';

// The schemas (zod) of requests that create and change schedules, for their routes, and single fields that other
// schemas share.

/** The default of `grace_seconds`: how late a run may start. */
export const DEFAULT_GRACE_SECONDS = 300;
const MAX_GRACE_SECONDS = 86_400;

const agentId = textField(100, 1).meta({
  description: 'The agent that talks.',
  examples: ['agent_01kakb8x6te1tr7m3qf0c9w2aa'],
});

/** The field `timezone`, with the description for schedules. */
export const timezoneField = zoneOfTimes.meta({
  description: 'IANA time zone in which times are read.',
  examples: ['America/New_York'],
});

/** The field `cron_expression`. @see readCron for the grammar */
export const cronField = z
  .string()
  .superRefine((text, context) => {
    const reading = readCron(text);
    if (reading.ok) return;
    context.addIssue({
      code: 'custom',
      message: reading.message,
      params: { code: 'invalid_cron_expression' },
    });
  })
  .meta({
    description:
      'Five fields: minute hour day-of-month month day-of-week. Lists, ranges, steps, `MON`, `JAN`; `L` (last day), `5L` ' +
      '(last Friday), `1#2` (second Monday). A day must match either day field when both are restricted.',
    examples: ['0 9 * * MON-FRI'],
  });

const TIME_EXAMPLE = '2026-12-25 10:00:00';
const scheduledTime = writtenTimeField(TIME_EXAMPLE).meta({
  description:
    '`YYYY-MM-DD HH:MM:SS`, read in `timezone`, or ISO 8601 with `Z` or an offset. A local time ' +
    'that the clock change skips moves forward by the gap; one that occurs twice means the first. ' +
    'Up to 300 seconds in the past means now.',
  examples: [TIME_EXAMPLE],
});

const webhookUrl = receiverUrlField
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', {
    message: 'must be an address such as https://example.com/hook',
    params: { code: 'invalid_webhook_url' },
  })
  .meta({
    description: 'An HTTPS address that is notified of every run.',
    examples: ['https://example.com/hook'],
  });

const name = textField(200).meta({ description: 'A label.', examples: ['Follow-up'] });
const description = textField(2_000).meta({
  description: 'What it is for.',
  examples: ['After the visit'],
});
const customerContext = metadataField.meta({
  description: "Data about the customer; fills `{{variables}}` in the agent's texts.",
  examples: [{ name: 'Ada' }],
});
/** Aliases of `customer_context`: the names of this field at other routes. */
const contextAliases = {
  customer_data: optional(metadataField).meta({
    description: 'Another name of `customer_context`.',
    examples: [{ name: 'Ada' }],
  }),
  variables: optional(metadataField).meta({
    description: 'Another name of `customer_context`.',
    examples: [{ name: 'Ada' }],
  }),
};

/** Merges the data about the customer from all its names; `customer_context` wins. Undefined without any. */
export function contextOf(request: {
  customer_context?: FreeForm | undefined;
  customer_data?: FreeForm | undefined;
  variables?: FreeForm | undefined;
}): FreeForm | undefined {
  const { customer_context: context, customer_data: data, variables } = request;
  return context || data || variables ? { ...variables, ...data, ...context } : undefined;
}

const webhookEvents = z
  .array(z.enum(WEBHOOK_EVENTS))
  .max(WEBHOOK_EVENTS.length)
  .meta({ description: 'Which events `webhook_url` receives.', examples: [[...WEBHOOK_EVENTS]] });
const graceSeconds = z
  .int()
  .min(0)
  .max(MAX_GRACE_SECONDS)
  .meta({
    description: 'Seconds by which a call may be late; after that it is missed.',
    examples: [DEFAULT_GRACE_SECONDS],
  });
const maxOccurrences = z
  .int()
  .min(1)
  .max(1_000_000)
  .nullable()
  .meta({
    description: 'Number of runs after which the schedule is completed; null for no end.',
    examples: [30],
  });

/** Fields of both kinds of schedule. */
function sharedFields(region?: CountryCode) {
  return {
    agent_id: agentId,
    phone_number: phoneNumberField(region),
    from_phone: optional(phoneNumberField(region)),
    timezone: optional(timezoneField),
    name: optional(name),
    description: optional(description),
    customer_context: optionalWithDefault(customerContext, {}),
    ...contextAliases,
    metadata: optionalWithDefault(metadataField, {}),
    retry_policy: optionalWithDefault(retryPolicyInput, NO_RETRIES),
    call_window: optional(callWindowField),
    webhook_url: optional(webhookUrl),
    webhook_events: optionalWithDefault(webhookEvents, [...WEBHOOK_EVENTS]),
    grace_seconds: optionalWithDefault(graceSeconds, DEFAULT_GRACE_SECONDS),
  };
}

/** Body of `POST /api/scheduled-calls`. */
export function oneTimeRequest(region?: CountryCode) {
  return z.object({ ...sharedFields(region), scheduled_time: scheduledTime }).meta({
    id: 'ScheduledCallRequest',
    description: 'A call to place once, at a time.',
    examples: [
      {
        agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
        phone_number: '+15550100001',
        name: 'Reminder',
        scheduled_time: '2027-01-04T09:00:00Z',
      },
    ],
  });
}
export type OneTimeRequest = z.infer<ReturnType<typeof oneTimeRequest>>;

/** Body of `POST /api/scheduled-calls/recurring`. */
export function recurringRequest(region?: CountryCode) {
  return z
    .object({
      ...sharedFields(region),
      cron_expression: cronField,
      max_occurrences: maxOccurrences.optional(),
    })
    .meta({
      id: 'RecurringCallRequest',
      description: 'A recurring call.',
      examples: [
        {
          agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
          phone_number: '+15550100001',
          name: 'Morning round',
          cron_expression: '0 9 * * MON-FRI',
          timezone: 'America/New_York',
        },
      ],
    });
}
export type RecurringRequest = z.infer<ReturnType<typeof recurringRequest>>;

/**
 * Body of `PUT /api/scheduled-calls/{schedule_id}`: any subset. `null` clears a field that may be empty, and leaves
 * any other unchanged.
 */
export function scheduleUpdate(region?: CountryCode) {
  return z
    .object({
      agent_id: optional(agentId),
      phone_number: optional(phoneNumberField(region)),
      from_phone: phoneNumberField(region).nullish(),
      scheduled_time: optional(scheduledTime),
      cron_expression: optional(cronField),
      timezone: optional(timezoneField),
      max_occurrences: maxOccurrences.optional(),
      name: name.nullish(),
      description: description.nullish(),
      customer_context: optional(customerContext),
      ...contextAliases,
      metadata: optional(metadataField),
      retry_policy: optional(retryPolicyInput),
      call_window: callWindowField.nullish(),
      webhook_url: webhookUrl.nullish(),
      webhook_events: optional(webhookEvents),
      grace_seconds: optional(graceSeconds),
    })
    .meta({
      id: 'ScheduleUpdate',
      description: 'The fields to change; others stay as they are.',
      examples: [{ name: 'Later round', cron_expression: '0 10 * * MON-FRI' }],
    });
}
export type ScheduleUpdate = z.infer<ReturnType<typeof scheduleUpdate>>;
