import { z } from 'zod';
import { EVENT_TYPE_NAMES, USUAL_EVENT_TYPES, type EventType } from '#events/event-types.js';
import { receiverUrlField } from '#kernel/input/fields.js';
import { retryPolicy } from './retry-policy.js';

/* Schemas (zod) of the requests that create and change webhooks and replace their secrets, for the routes. */

const MOST_HEADERS = 20;
const LONGEST_OVERLAP_SECONDS = 30 * 86_400;

/** Names of headers (in lower case) that the service or HTTP sets; a webhook cannot override them. */
const RESERVED_HEADER =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|user-agent|accept-encoding|webhook-.*|x-service-.*)$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,1000}$/;

/** Values of the filter `status`: states of calls and batches, by the names of the API and of the events. */
const FILTER_STATUSES = [
  'initiated',
  'connected',
  'in_progress',
  'completed',
  'failed',
  'missed',
  'queued',
  'connecting',
  'active',
  'ending',
  'cancelled',
] as const;

const url = receiverUrlField.meta({
  description: 'Where events are sent; HTTPS only.',
  examples: ['https://example.com/hooks/voice'],
});

/** The event types that a word of `events` selects: one type, `*` for all usual types, or a group such as `call.*`. */
function typesFor(word: string): EventType[] {
  if (word === '*') return USUAL_EVENT_TYPES;
  const prefix = word.endsWith('.*') ? word.slice(0, -1) : null;
  if (prefix === null) return EVENT_TYPE_NAMES.filter((name) => name === word);
  return USUAL_EVENT_TYPES.filter((name) => name.startsWith(prefix));
}

const events = z
  .array(
    z.string().refine((word) => typesFor(word).length > 0, {
      error: `is not an event type; they are ${EVENT_TYPE_NAMES.join(', ')}`,
    }),
  )
  .min(1)
  .max(100)
  .transform((words) => {
    const wanted = new Set(words.flatMap(typesFor));
    return EVENT_TYPE_NAMES.filter((name) => wanted.has(name));
  })
  .meta({
    description:
      'Event types to receive; `*` means all, `call.*` and `batch.*` a group. Default all. ' +
      '`call.tool_called` has to be named.',
    examples: [['call.completed', 'call.transcript_ready']],
  });

const filters = z
  .object({
    direction: z
      .enum(['outbound', 'inbound'])
      .nullish()
      .meta({ description: 'Only calls of this direction.', examples: ['outbound'] }),
    status: z
      .string()
      .toLowerCase()
      .pipe(z.enum(FILTER_STATUSES))
      .nullish()
      .meta({ description: 'Only calls or batches in this state.', examples: ['completed'] }),
    min_duration: z
      .number()
      .min(0)
      .nullish()
      .meta({ description: 'Only calls of at least this many seconds.', examples: [30] }),
  })
  .meta({
    id: 'WebhookFilters',
    description: 'Conditions that an event must meet to be sent; `null` removes a condition.',
    examples: [{ direction: 'outbound', status: 'completed', min_duration: 30 }],
  });
export type FiltersInput = z.output<typeof filters>;

const { max_attempts, backoff_multiplier, initial_delay_seconds, max_delay_seconds } = retryPolicy.shape;
/** The retry policy without its defaults (`unwrap`), so that a change keeps the stored values of omitted fields. */
const retryPolicyInput = z
  .object({
    max_attempts: max_attempts.unwrap().nullish(),
    backoff_multiplier: backoff_multiplier.unwrap().nullish(),
    initial_delay_seconds: initial_delay_seconds.unwrap().nullish(),
    max_delay_seconds: max_delay_seconds.unwrap().nullish(),
  })
  .meta({
    id: 'WebhookRetryPolicyChange',
    description: 'When a failed delivery is retried; omitted fields stay as they are.',
    examples: [{ max_attempts: 5 }],
  });

const headers = z
  .record(z.string(), z.string().regex(HEADER_VALUE, 'must be printable ASCII of at most 1000 characters'))
  .superRefine((all, context) => {
    const names = Object.keys(all);
    const refuse = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', message, path });
    if (names.length > MOST_HEADERS) refuse(`must not be more than ${MOST_HEADERS}`);
    const seen = new Set<string>();
    for (const name of names) {
      const lowerCaseName = name.toLowerCase();
      if (!HEADER_NAME.test(name)) refuse('is not a header name', [name]);
      else if (RESERVED_HEADER.test(lowerCaseName)) refuse('is a header that the service sets', [name]);
      else if (seen.has(lowerCaseName)) refuse('is there twice', [name]);
      seen.add(lowerCaseName);
    }
  })
  .meta({
    description:
      'Additional headers to send, such as a credential of your own. Their values are never shown ' +
      'again.',
    examples: [{ authorization: 'Bearer 8c1f' }],
  });

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 printable characters without spaces');

const description = z
  .string()
  .trim()
  .max(500)
  .meta({ description: 'What it is for.', examples: ['CRM'] });

const active = z.boolean().meta({ description: 'Whether events are sent. Default true.', examples: [true] });

/** The body of a request that registers a webhook. */
export const webhookCreate = z
  .object({
    url,
    events: events.nullish(),
    active: active.nullish(),
    filters: filters.nullish(),
    retry_policy: retryPolicyInput.nullish(),
    secret: secret.nullish().meta({
      description: 'The secret to sign with; one is generated if omitted.',
      examples: ['a-secret-of-my-own-42'],
    }),
    description: description.nullish(),
    headers: headers.nullish(),
  })
  .meta({
    id: 'WebhookCreate',
    description: 'A new webhook.',
    examples: [
      { url: 'https://example.com/hooks/voice', events: ['call.completed'], filters: { min_duration: 30 } },
    ],
  });
export type WebhookCreate = z.output<typeof webhookCreate>;

/** The body of a request that changes a webhook. */
export const webhookUpdate = z
  .object({
    url: url.nullish(),
    events: events.nullish(),
    active: active.nullish(),
    filters: filters.nullish().meta({ description: 'Merged into the existing filters; `null` clears them.' }),
    retry_policy: retryPolicyInput.nullish(),
    secret: secret.nullish().meta({
      description:
        'A secret of your own to sign with from now on; the one before ends at once. `null` keeps it.',
      examples: ['a-secret-of-my-own-42'],
    }),
    description: description.nullish(),
    headers: headers.nullish().meta({
      description:
        'Replace the existing headers; `null` removes them. A value that reads `(hidden)`, as they are ' +
        'shown, stays as it is.',
    }),
  })
  .meta({
    id: 'WebhookUpdate',
    description: 'The fields to change; others stay as they are. `retry_policy` and `filters` are merged.',
    examples: [{ retry_policy: { max_attempts: 5 } }],
  });
export type WebhookUpdate = z.output<typeof webhookUpdate>;

/** The body of a request for a new secret; none for the default overlap. */
export const secretRotation = z
  .object({
    overlap_seconds: z
      .int()
      .min(0)
      .max(LONGEST_OVERLAP_SECONDS)
      .nullish()
      .meta({
        description: 'How many seconds the old secret stays in use. Default one day.',
        examples: [86_400],
      }),
  })
  .nullish()
  .meta({
    id: 'SecretRotation',
    description: 'How to change to a new secret.',
    examples: [{ overlap_seconds: 3_600 }],
  });
