import { z } from 'zod';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { deliveryHeaders } from './delivery-attempter.js';
import type { AttemptRow, DeliveryRow } from './delivery.js';
import { SHOWN_STATUSES, type DeliveryRecord, type ShownStatus } from './delivery-log-store.js';

/* Deliveries as the delivery log of the API shows them: schemas for OpenAPI, and conversion from rows. */

const EXAMPLE = {
  id: 'dlv_01kakb8x6te1tr7m3qf0c9w2ap',
  delivery_id: 'dlv_01kakb8x6te1tr7m3qf0c9w2ap',
  object: 'webhook_delivery',
  webhook_id: 'wh_01kakb8x6te1tr7m3qf0c9w2an',
  event_id: 'evt_01kakb8x6te1tr7m3qf0c9w2aq',
  event_type: 'call.completed',
  url: 'https://example.com/hooks/voice',
  status: 'delivered',
  success: true,
  attempt: 1,
  attempts: 1,
  max_attempts: 4,
  status_code: 200,
  response_status: 200,
  response_body: 'ok',
  response_time_ms: 84,
  error: null,
  next_retry_at: null,
  timestamp: '2026-11-21T00:00:47.000Z',
  created_at: '2026-11-21T00:00:47.000Z',
  delivered_at: '2026-11-21T00:00:47.084Z',
};

/** The fields that a delivery has in lists and in detail. `attempts` is a number in lists, and a list in detail. */
const fields = {
  id: z.string().meta({ description: 'The id of the delivery.' }),
  delivery_id: z.string().meta({ description: 'The same as `id`.' }),
  object: z.literal('webhook_delivery'),
  webhook_id: z.string().meta({ description: 'The webhook it goes to.' }),
  event_id: z.string().meta({ description: 'The id of the event, which receivers see as `webhook_id`.' }),
  event_type: z.string().meta({ description: 'What happened.' }),
  url: z.string().meta({ description: 'Where it is sent.' }),
  status: z.enum(SHOWN_STATUSES).meta({
    description:
      '`pending`: not attempted yet. `retrying`: failed, and will be retried. `cancelled`: the ' +
      'webhook was switched off or deleted.',
  }),
  success: z.boolean().meta({ description: 'Whether the receiver accepted it.' }),
  attempt: z.int().meta({ description: 'The number of the last attempt; 0 before the first.' }),
  max_attempts: z.int().meta({ description: 'The most attempts it can have, the first included.' }),
  status_code: z
    .int()
    .nullable()
    .meta({ description: 'The HTTP status of the last response; null without one.' }),
  response_status: z.int().nullable().meta({ description: 'The same as `status_code`.' }),
  response_body: z.string().nullable().meta({ description: 'The beginning of the last response body.' }),
  response_time_ms: z.int().nullable().meta({ description: 'How long the last attempt took.' }),
  error: z.string().nullable().meta({
    description: 'How the last attempt failed, such as `timeout`, `tls` or `server_error`.',
  }),
  next_retry_at: instantOut.nullable().meta({ description: 'When it is retried.' }),
  timestamp: instantOut.meta({ description: 'The same as `created_at`.' }),
  created_at: instantOut,
  delivered_at: instantOut.nullable().meta({ description: 'When the receiver accepted it.' }),
};

/** The schema of a delivery in lists. */
export const deliveryResource = z
  .object({ ...fields, attempts: z.int().meta({ description: 'How many attempts were made.' }) })
  .meta({
    id: 'WebhookDelivery',
    description: 'The delivery of an event to a webhook.',
    examples: [EXAMPLE],
  });
export type DeliveryResource = z.output<typeof deliveryResource>;

const attempt = z
  .object({
    attempt: z.int().meta({ description: 'Its number, from 1.' }),
    started_at: instantOut.meta({ description: 'When it began.' }),
    response_time_ms: z.int().meta({ description: 'How long it took.' }),
    status_code: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the response; null without one.' }),
    response_body: z.string().nullable().meta({ description: 'The beginning of the response body.' }),
    success: z.boolean().meta({ description: 'Whether the receiver accepted it.' }),
    error: z.string().nullable().meta({ description: 'How it failed.' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'One attempt of a delivery.' });

/** The schema of one delivery with its request and its attempts. */
export const deliveryDetail = z
  .object({
    ...fields,
    request_headers: z
      .record(z.string(), z.string())
      .meta({ description: 'The headers, without the signature and the additional headers of the webhook.' }),
    request_body: z.string().meta({ description: 'The exact body.' }),
    attempts: z.array(attempt).meta({ description: 'Every attempt, in order.' }),
  })
  .meta({
    id: 'WebhookDeliveryDetail',
    description: 'The delivery of an event to a webhook, with every attempt.',
    examples: [
      {
        ...EXAMPLE,
        request_headers: {
          'content-type': 'application/json; charset=utf-8',
          'webhook-id': EXAMPLE.event_id,
        },
        request_body: '{"event_type":"call.completed","timestamp":"…","webhook_id":"evt_…","data":{}}',
        attempts: [
          {
            attempt: 1,
            started_at: '2026-11-21T00:00:47.000Z',
            response_time_ms: 84,
            status_code: 200,
            response_body: 'ok',
            success: true,
            error: null,
          },
        ],
      },
    ],
  });
export type DeliveryDetail = z.output<typeof deliveryDetail>;

/** A delivery for lists. */
export function toDeliveryResource(delivery: DeliveryRow): DeliveryResource {
  return { ...shownFields(delivery), attempts: delivery.attempts };
}

/** A delivery with its request and its attempts. */
export function toDeliveryDetail({ delivery, attempts, body }: DeliveryRecord): DeliveryDetail {
  return {
    ...shownFields(delivery),
    request_headers: { ...deliveryHeaders(delivery), 'webhook-id': delivery.event_id },
    request_body: body,
    attempts: attempts.map(toAttempt),
  };
}

function shownFields(delivery: DeliveryRow): Omit<DeliveryResource, 'attempts'> {
  const { id, created_at: createdAt, status_code: statusCode } = delivery;
  const isDelivered = delivery.status === 'delivered';
  // Not while the retry is being sent, although the shown status is then `retrying`.
  const isRetrying = delivery.status === 'pending' && delivery.attempts > 0;
  return {
    id,
    delivery_id: id,
    object: 'webhook_delivery',
    webhook_id: delivery.webhook_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    url: delivery.url,
    status: shownStatus(delivery),
    success: isDelivered,
    attempt: delivery.attempts,
    // `max_attempts` of a retry policy counts retries only.
    max_attempts: delivery.retry_policy.max_attempts + 1,
    status_code: statusCode,
    response_status: statusCode,
    response_body: delivery.response_body,
    response_time_ms: delivery.duration_ms,
    error: errorOf(delivery.outcome),
    next_retry_at: toInstantOrNull(isRetrying ? delivery.next_at : null),
    timestamp: toInstant(createdAt),
    created_at: toInstant(createdAt),
    delivered_at: toInstantOrNull(isDelivered ? delivery.finished_at : null),
  };
}

function shownStatus({ status, attempts }: DeliveryRow): ShownStatus {
  if (status !== 'pending' && status !== 'sending') return status;
  return attempts > 0 ? 'retrying' : 'pending';
}

function toAttempt(row: AttemptRow): DeliveryDetail['attempts'][number] {
  return {
    attempt: row.attempt,
    started_at: toInstant(row.started_at),
    response_time_ms: row.duration_ms,
    status_code: row.status_code,
    response_body: row.response_body,
    success: row.outcome === 'success',
    error: errorOf(row.outcome),
  };
}

function errorOf(outcome: AttemptRow['outcome'] | null): string | null {
  return outcome === 'success' ? null : outcome;
}
