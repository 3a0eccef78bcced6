import { z } from 'zod';
import { EVENT_TYPE_NAMES } from '#events/event-types.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { retryPolicy } from './retry-policy.js';
import { DISABLED_REASONS, HIDDEN, type WebhookRecord } from './webhook.js';

/** How many characters of the end of a secret are shown, without the padding (`=`) of base64. */
const HINT_CHARACTERS = 4;

/** The schema of a webhook in the API. */
export const webhookResource = z
  .object({
    id: z.string().meta({ description: 'The id of the webhook.' }),
    webhook_id: z.string().meta({ description: 'The same as `id`.' }),
    object: z.literal('webhook'),
    url: z.string().meta({ description: 'Where events are sent.' }),
    events: z.array(z.enum(EVENT_TYPE_NAMES)).meta({ description: 'The event types it receives.' }),
    active: z.boolean().meta({ description: 'Whether events are sent.' }),
    status: z
      .enum(['active', 'inactive', 'disabled'])
      .meta({ description: '`disabled`: switched off by the service, see `disabled_reason`.' }),
    disabled_reason: z.enum(DISABLED_REASONS).nullable().meta({
      description:
        '`gone`: the receiver answered 410. `failing`: every delivery failed for five days, and at least 20 were given up.',
    }),
    filters: z
      .object({
        direction: z.string().optional(),
        status: z.string().optional(),
        min_duration: z.number().optional(),
      })
      .meta({ description: 'Conditions that an event must meet to be sent.' }),
    retry_policy: retryPolicy,
    secret: z.string().nullable().meta({
      description: 'The secret that deliveries are signed with; shown when it is created, null afterwards.',
    }),
    secret_hint: z.string().meta({ description: 'The last characters of the secret, to recognise it.' }),
    secret_overlap_until: instantOut
      .nullable()
      .meta({ description: 'Until when deliveries are also signed with the previous secret.' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Names of the additional headers; their values are hidden.' }),
    description: z.string().nullable().meta({ description: 'What it is for.' }),
    last_delivery_at: instantOut.nullable().meta({ description: 'When the last delivery ended.' }),
    last_delivery_status: z.string().nullable().meta({ description: 'How it ended.' }),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({
    id: 'Webhook',
    description: 'A webhook: where events are sent, and which.',
    examples: [
      {
        id: 'wh_01kakb8x6te1tr7m3qf0c9w2an',
        webhook_id: 'wh_01kakb8x6te1tr7m3qf0c9w2an',
        object: 'webhook',
        url: 'https://example.com/hooks/voice',
        events: ['call.completed', 'call.transcript_ready'],
        active: true,
        status: 'active',
        disabled_reason: null,
        filters: { direction: 'outbound', status: 'completed', min_duration: 30 },
        retry_policy: {
          max_attempts: 3,
          backoff_multiplier: 5,
          initial_delay_seconds: 60,
          max_delay_seconds: 900,
        },
        secret: null,
        secret_hint: 'whsec_…0j0h',
        secret_overlap_until: null,
        headers: {},
        description: null,
        last_delivery_at: null,
        last_delivery_status: null,
        created_at: '2026-11-21T00:00:00.000Z',
        updated_at: '2026-11-21T00:00:00.000Z',
      },
    ],
  });
export type WebhookResource = z.output<typeof webhookResource>;

/**
 * The API resource of a webhook. Header values are hidden, and of the secret only the last characters are shown.
 * @param now for the overlap of the previous secret (epoch milliseconds)
 * @param showSecret true only in the response that creates the secret
 */
export function toWebhookResource(
  { webhook, lastDelivery }: WebhookRecord,
  { now, showSecret = false }: { now: number; showSecret?: boolean },
): WebhookResource {
  const { secret, previous_secret_until: overlapUntil } = webhook;
  return {
    id: webhook.id,
    webhook_id: webhook.id,
    object: 'webhook',
    url: webhook.url,
    events: webhook.events,
    active: webhook.active,
    status: statusOf(webhook),
    disabled_reason: webhook.disabled_reason,
    filters: webhook.filters,
    retry_policy: webhook.retry_policy,
    secret: showSecret ? secret : null,
    secret_hint: `${secret.startsWith('whsec_') ? 'whsec_' : ''}…${secret.replace(/=+$/, '').slice(-HINT_CHARACTERS)}`,
    secret_overlap_until: toInstantOrNull(overlapUntil !== null && overlapUntil > now ? overlapUntil : null),
    headers: Object.fromEntries(Object.keys(webhook.headers).map((name) => [name, HIDDEN])),
    description: webhook.description,
    last_delivery_at: toInstantOrNull(lastDelivery?.at ?? null),
    last_delivery_status: lastDelivery?.status ?? null,
    created_at: toInstant(webhook.created_at),
    updated_at: toInstant(webhook.updated_at),
  };
}

function statusOf({ active, disabled_reason }: WebhookRecord['webhook']): WebhookResource['status'] {
  if (active) return 'active';
  return disabled_reason === null ? 'inactive' : 'disabled';
}
