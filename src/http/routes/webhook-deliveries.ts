import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EVENT_TYPE_NAMES, NOTIFICATION_TYPE_NAMES } from '#events/event-types.js';
import { instantField } from '#kernel/input/fields.js';
import { SHOWN_STATUSES } from '#webhooks/deliveries/delivery-log-store.js';
import { deliveryDetail, deliveryResource } from '#webhooks/deliveries/delivery-resource.js';
import type { Deliveries } from '#webhooks/deliveries/deliveries.js';
import { anyOf, createdWithin, limitUpTo, listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import { keepAnswerOf } from '#idempotency/replay-answers.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer } from '#http/schemas/route-schema.js';
import { webhookPath, WEBHOOK_TAGS as tags } from './webhook-path.js';

/** The most deliveries on one page of the log. */
const MAX_LOG_LIMIT = 1_000;

const deliveryPath = z.object({
  delivery_id: z
    .string()
    .meta({ description: 'The id of the delivery.', examples: ['dlv_01kakb8x6te1tr7m3qf0c9w2ap'] }),
});

const idFilter = anyOf(z.string().max(100)).optional();
const logQuery = listQuery.extend({
  limit: limitUpTo(MAX_LOG_LIMIT),
  event_type: anyOf(z.enum([...EVENT_TYPE_NAMES, ...NOTIFICATION_TYPE_NAMES]))
    .optional()
    .meta({ description: 'Only deliveries of these events.', examples: [['call.completed']] }),
  status: anyOf(z.enum(SHOWN_STATUSES))
    .optional()
    .meta({ description: 'Only deliveries in these states.', examples: [['failed']] }),
  call_id: idFilter.meta({ description: 'Only deliveries about these calls.' }),
});
const webhookLogQuery = logQuery.extend({
  webhook_id: idFilter.meta({ description: 'Only deliveries to these webhooks.' }),
});

const deliveryList = listOf(deliveryResource, 'WebhookDeliveryList');

const testRequest = z
  .object({
    event_type: z
      .enum(EVENT_TYPE_NAMES)
      .nullish()
      .meta({
        description: 'The event type to send an example of. Default `call.completed`.',
        examples: ['call.completed'],
      }),
  })
  .nullish()
  .meta({
    id: 'WebhookTest',
    description: 'The event to send an example of.',
    examples: [{ event_type: 'call.completed' }],
  });

const replayRequest = z
  .object({
    since: instantField.meta({
      description: 'Deliveries created at this instant or later.',
      examples: ['2026-12-01T15:00:00Z'],
    }),
    until: instantField.nullish().meta({
      description: 'Deliveries created before this instant. Default now.',
      examples: ['2026-12-02T15:00:00Z'],
    }),
    status: z
      .enum(['failed', 'cancelled', 'delivered'])
      .nullish()
      .meta({ description: 'Deliveries with this status. Default `failed`.', examples: ['failed'] }),
  })
  .meta({
    id: 'WebhookReplay',
    description: 'Which deliveries to replay.',
    examples: [{ since: '2026-12-01T15:00:00Z', status: 'failed' }],
  });

const replayAnswer = z
  .object({ queued: z.int().meta({ description: 'How many deliveries were queued.' }) })
  .meta({
    id: 'WebhookReplayed',
    description: 'The deliveries that were queued again.',
    examples: [{ queued: 12 }],
  });

/**
 * The routes with the log of webhook deliveries (scope `read`), and those that send something on request (scope
 * `write`): a delivery again, a test event, a replay of many deliveries.
 */
export const webhookDeliveryRoutes: FastifyPluginAsyncZod<{ deliveries: Deliveries }> = async (
  server,
  { deliveries },
) => {
  logRoutes(server, deliveries);
  deliveryRoutes(server, deliveries);
  manualSendRoutes(server, deliveries);
};

/** The filters that the log of all webhooks and the log of one webhook share. */
function toLogFilter(query: z.output<typeof logQuery>) {
  return {
    eventTypes: query.event_type,
    statuses: query.status,
    subjectIds: query.call_id,
    ...createdWithin(query),
  };
}

function logRoutes(server: HttpServer, deliveries: Deliveries): void {
  server.route({
    method: 'GET',
    url: '/v1/webhooks/logs',
    schema: {
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description: 'Deliveries to all webhooks and to the `webhook_url` of schedules, newest first.',
      tags,
      querystring: webhookLogQuery,
      response: { 200: answer('One page of deliveries.', deliveryList) },
    },
    handler: async (request, reply) => {
      const { query, principal } = request;
      const { workspace } = principal;
      const filter = { ...toLogFilter(query), workspace, webhookIds: query.webhook_id };
      return answerWithPage(request, reply, await deliveries.list(filter, query.cursor ?? null, query.limit));
    },
  });

  server.route({
    method: 'GET',
    url: '/v1/webhooks/:webhook_id/logs',
    schema: {
      operationId: 'listDeliveriesOfWebhook',
      summary: 'List the deliveries of a webhook',
      description: 'Deliveries to one webhook, newest first, even if it has been deleted.',
      tags,
      params: webhookPath,
      querystring: logQuery,
      response: { 200: answer('One page of deliveries.', deliveryList) },
    },
    handler: async (request, reply) => {
      const { query, principal, params } = request;
      const key = { workspace: principal.workspace, id: params.webhook_id };
      const page = await deliveries.listOf(key, toLogFilter(query), query.cursor ?? null, query.limit);
      return answerWithPage(request, reply, page);
    },
  });
}

function deliveryRoutes(server: HttpServer, deliveries: Deliveries): void {
  server.route({
    method: 'GET',
    url: '/v1/webhooks/logs/:delivery_id',
    schema: {
      operationId: 'getWebhookDelivery',
      summary: 'Get a delivery',
      description: 'A delivery, with the request and every attempt.',
      tags,
      params: deliveryPath,
      response: { 200: answer('The delivery.', deliveryDetail) },
    },
    handler: ({ principal, params }) =>
      deliveries.get({ workspace: principal.workspace, id: params.delivery_id }),
  });

  server.route({
    method: 'POST',
    url: '/v1/webhooks/logs/:delivery_id/resend',
    config: { idempotent: true },
    schema: {
      operationId: 'resendWebhookDelivery',
      summary: 'Resend a delivery',
      description:
        'Sends the same body again at once, with the same event id (`webhook_id` in the body), whatever its status.',
      tags,
      params: deliveryPath,
      response: { 200: answer('The delivery after this attempt.', deliveryResource) },
    },
    handler: (request) =>
      deliveries.resend(
        { workspace: request.principal.workspace, id: request.params.delivery_id },
        keepAnswerOf(request, 200),
      ),
  });
}

function manualSendRoutes(server: HttpServer, deliveries: Deliveries): void {
  server.route({
    method: 'POST',
    url: '/v1/webhooks/:webhook_id/test',
    config: { idempotent: true },
    schema: {
      operationId: 'testWebhook',
      summary: 'Send a test event',
      description: 'Sends an example event once, immediately, even to an inactive webhook.',
      tags,
      params: webhookPath,
      body: testRequest,
      response: { 200: answer('The delivery, after its one attempt.', deliveryResource) },
    },
    handler: (request) =>
      deliveries.test(
        { workspace: request.principal.workspace, id: request.params.webhook_id },
        request.body?.event_type ?? 'call.completed',
        keepAnswerOf(request, 200),
      ),
  });

  server.route({
    method: 'POST',
    url: '/v1/webhooks/:webhook_id/replay',
    config: { idempotent: true },
    schema: {
      operationId: 'replayWebhook',
      summary: 'Replay deliveries',
      description: 'Puts finished deliveries back into the queue, with all their retries.',
      tags,
      params: webhookPath,
      body: replayRequest,
      response: { 202: answer('They are queued.', replayAnswer) },
    },
    handler: async ({ principal, params, body, idempotency }, reply) => {
      const key = { workspace: principal.workspace, id: params.webhook_id };
      const { since, until, status } = body;
      const replay = { since, until: until ?? null, status: status ?? ('failed' as const) };
      // The transaction that queues the deliveries makes its body.
      const kept = idempotency?.answer(202, null) ?? null;
      return reply.code(202).send(await deliveries.replay(key, replay, kept));
    },
  });
}
