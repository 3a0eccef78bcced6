import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { conductOptions, refuseImpossibleLimits } from '#calls/requests/call-request.js';
import {
  metadataField,
  optional,
  optionalWithDefault,
  phoneNumberField,
  regionField,
  textField,
  timezoneField,
  writtenTimeField,
} from '#kernel/input/fields.js';
import { freeFields } from '#kernel/input/known-fields.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import { callWindowField } from '#policy/hours/call-window.js';
import { MAX_BATCH_NUMBERS } from '#batches/record/batch.js';
import { NO_RETRIES, retryPolicyInput } from '#schedules/record/retry.js';
import { STATUS_WORDS, type StatusWord } from '#schedules/record/status-words.js';

// The schemas (zod) of requests for batches, and of changes of scheduled calls. Bodies with recipients may be large:
// `readIntake` parses them on the batch thread, and their routes use the schemas only for the API's document.
// `scheduledCallUpdate` is validated by its route as usual. `region` is everywhere the country of numbers in national
// format.

/** The default of `max_concurrency`. */
const DEFAULT_CONCURRENCY = 10;
const MAX_BUDGET_USD = 10_000_000;
const MAX_CONCURRENCY = 1_000;

/** One recipient of a batch (`to_number[]` in openapi.json); a plain string is read as its `phone_number`. */
export function recipientField(region?: CountryCode) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? { phone_number: value } : value),
    z
      .object({
        phone_number: phoneNumberField(region),
        name: optional(textField(200)).meta({ description: 'A recipient.', examples: ['Ada Lovelace'] }),
        customer_data: optional(metadataField).meta({
          description: "Data about this recipient; fills `{{variables}}` in the agent's texts.",
          examples: [{ plan: 'gold' }],
        }),
        customer_context: customerDataAlias,
        variables: customerDataAlias,
        metadata: optional(metadataField),
      })
      // Under the same key, `customer_context` wins over `customer_data`, and that over `variables`.
      .transform(({ customer_context: context, customer_data: data, variables, ...recipient }) =>
        context || data || variables
          ? { ...recipient, customer_data: { ...variables, ...data, ...context } }
          : recipient,
      ),
  );
}

/**
 * Other names accepted for `customer_data`. Requests for single calls have them too, but keep `customer_context` as
 * data of its own.
 */
const customerDataAlias = optional(metadataField).meta({
  description: 'Another name of `customer_data`.',
  examples: [{ plan: 'gold' }],
});

/** The names of a recipient's fields, for warnings about unknown fields. */
export const RECIPIENT_FIELDS = freeFields([
  'phone_number',
  'name',
  'customer_data',
  'customer_context',
  'variables',
  'metadata',
]);

/** A recipient after validation. */
export interface RecipientInput {
  phone_number: string;
  name?: string | undefined;
  customer_data?: FreeForm;
  metadata?: FreeForm | undefined;
}

/** The fields of a batch other than its numbers. */
function batchFields(region?: CountryCode) {
  return {
    from_number: optional(phoneNumberField(region)),
    scheduled_time: optional(writtenTimeField('2026-12-01T15:00:00Z')).meta({
      description: 'When the batch runs; now, if omitted. Up to 300 seconds in the past means now.',
      examples: ['2026-12-01T15:00:00Z'],
    }),
    name: optional(textField(200)).meta({
      description: 'Name of the batch.',
      examples: ['December reminders'],
    }),
    agent_id: optional(textField(100, 1)).meta({
      description: 'The agent that talks; if omitted, the agent of `from_number`, else the default agent.',
    }),
    metadata: optionalWithDefault(metadataField, {}),
    timezone: optional(timezoneField),
    region: optional(regionField),
    max_concurrency: optionalWithDefault(z.int().min(1).max(MAX_CONCURRENCY), DEFAULT_CONCURRENCY).meta({
      description: 'How many calls of the batch may be in progress at once.',
      examples: [DEFAULT_CONCURRENCY],
    }),
    budget_usd: optional(z.number().positive().max(MAX_BUDGET_USD)).meta({
      description:
        'When the known cost of its calls reaches this, the batch pauses. After it is resumed, the budget no longer applies.',
      examples: [50],
    }),
    call_window: optional(callWindowField),
    retry_policy: optionalWithDefault(retryPolicyInput, NO_RETRIES).meta({
      description: 'Whether and when numbers that were not reached are called again; never, if omitted.',
    }),
    ...conductOptions,
  };
}

/** A batch request without its numbers. */
export function batchHeader(region?: CountryCode) {
  return z.object(batchFields(region)).superRefine(refuseImpossibleLimits);
}
export type BatchHeader = z.infer<ReturnType<typeof batchHeader>>;

/** Body of `POST /batch/schedule-call`, documented here and parsed on the batch thread with the same schemas. */
export function batchRequest(region?: CountryCode) {
  return z
    .object({
      to_number: z
        .array(recipientField(region))
        .min(1)
        .max(MAX_BATCH_NUMBERS)
        .meta({
          description: `The recipients, 1 to ${MAX_BATCH_NUMBERS}. A number that is listed twice is called once.`,
        }),
      ...batchFields(region),
    })
    .superRefine(refuseImpossibleLimits)
    .meta({
      id: 'BatchRequest',
      description: 'A batch of calls.',
      examples: [
        {
          name: 'Deliveries',
          to_number: [{ phone_number: '+15550100001', name: 'Ada' }, { phone_number: '+15550100002' }],
          max_concurrency: 5,
        },
      ],
    });
}
/** The schema that {@link batchRequest} makes. */
export type BatchRequestSchema = ReturnType<typeof batchRequest>;

/** Body of `PUT /batch/scheduled-calls/{call_id}`. */
export function scheduledCallUpdate(region?: CountryCode) {
  return z
    .object({
      name: optional(textField(200)),
      from_number: optional(phoneNumberField(region)),
      scheduled_time: optional(writtenTimeField('2026-12-01T18:00:00Z')).meta({
        description: 'A new time, for a call that waits or a batch that was not initiated.',
        examples: ['2026-12-01T18:00:00Z'],
      }),
      timezone: optional(timezoneField).meta({
        description:
          'IANA zone in which a `scheduled_time` without an offset is read; if omitted, the zone of the previous time. For a ' +
          'batch or a schedule, this also changes its stored zone; sent without a `scheduled_time`, a previous time that was ' +
          'written without an offset is read again in the new zone.',
        examples: ['America/New_York'],
      }),
      status: optional(z.enum(Object.keys(STATUS_WORDS) as [StatusWord, ...StatusWord[]])).meta({
        description:
          '`scheduled`, `pending` or `active` resume what is paused, `paused` suspends what waits, `cancelled` and ' +
          '`completed` end it. `cancelled` for a single call also hangs up if it is live; for a batch, live calls continue.',
        examples: ['paused'],
      }),
    })
    .meta({
      id: 'ScheduledCallUpdate',
      description: 'A change of a scheduled call, or of a whole batch.',
      examples: [{ name: 'Deliveries of the morning', status: 'paused' }],
    });
}
export type ScheduledCallUpdate = z.infer<ReturnType<typeof scheduledCallUpdate>>;
