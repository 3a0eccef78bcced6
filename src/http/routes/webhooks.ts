import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EVENT_TYPE_NAMES } from '#events/event-types.js';
import { flagQuery } from '#kernel/input/fields.js';
import { secretRotation, webhookCreate, webhookUpdate } from '#webhooks/registrations/webhook-input.js';
import { webhookResource } from '#webhooks/registrations/webhook-resource.js';
import type { Webhooks } from '#webhooks/registrations/webhooks.js';
import { anyOf, createdWithin, listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import { keepAnswerOf } from '#idempotency/replay-answers.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer } from '#http/schemas/route-schema.js';
import { webhookPath, WEBHOOK_TAGS as tags } from './webhook-path.js';

const webhookList = listOf(webhookResource, 'WebhookList');

const deletedWebhook = z
  .object({
    id: z.string().meta({ description: 'The id of the webhook.' }),
    webhook_id: z.string().meta({ description: 'The same as `id`.' }),
    object: z.literal('webhook'),
    deleted: z.literal(true),
    success: z.literal(true),
  })
  .meta({
    id: 'DeletedWebhook',
    description: 'A deleted webhook.',
    examples: [
      {
        id: 'wh_01kakb8x6te1tr7m3qf0c9w2an',
        webhook_id: 'wh_01kakb8x6te1tr7m3qf0c9w2an',
        object: 'webhook',
        deleted: true,
        success: true,
      },
    ],
  });

/**
 * The routes of webhooks, the addresses that events are sent to: register, list, read, change, delete, and a new
 * secret. Reading requires the scope `read`, all else `write`.
 */
export const webhookRoutes: FastifyPluginAsyncZod<{ webhooks: Webhooks }> = async (server, { webhooks }) => {
  createRoute(server, webhooks);
  readRoutes(server, webhooks);
  changeRoutes(server, webhooks);
};

function createRoute(server: HttpServer, webhooks: Webhooks): void {
  server.route({
    method: 'POST',
    url: '/v1/webhooks',
    config: { idempotent: true },
    schema: {
      operationId: 'createWebhook',
      summary: 'Register a webhook',
      description:
        'Events are sent to `url` from now on, signed with `secret`, which appears in this response ' +
        'only. The address must be HTTPS and public, or in a network of `WEBHOOK_ALLOW_CIDRS`.',
      tags,
      body: webhookCreate,
      response: { 201: answer('The webhook, with its secret.', webhookResource) },
    },
    handler: async (request, reply) => {
      const { workspace } = request.principal;
      const webhook = await webhooks.create(workspace, request.body, keepAnswerOf(request, 201));
      return reply.code(201).header('location', `/v1/webhooks/${webhook.id}`).send(webhook);
    },
  });
}

function readRoutes(server: HttpServer, webhooks: Webhooks): void {
  server.route({
    method: 'GET',
    url: '/v1/webhooks',
    schema: {
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Webhooks, newest first.',
      tags,
      querystring: listQuery.extend({
        active: flagQuery.optional().meta({ description: 'Only active, or only inactive webhooks.' }),
        event: anyOf(z.enum(EVENT_TYPE_NAMES))
          .optional()
          .meta({ description: 'Only webhooks that receive these events.' }),
      }),
      response: { 200: answer('One page of webhooks.', webhookList) },
    },
    handler: async (request, reply) => {
      const { cursor, limit, active, event } = request.query;
      const { workspace } = request.principal;
      const filter = { workspace, active, events: event, ...createdWithin(request.query) };
      const page = await webhooks.list(filter, cursor ?? null, limit);
      return answerWithPage(request, reply, page);
    },
  });

  server.route({
    method: 'GET',
    url: '/v1/webhooks/:webhook_id',
    schema: {
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      description: 'A webhook, without its secret.',
      tags,
      params: webhookPath,
      response: { 200: answer('The webhook.', webhookResource) },
    },
    handler: ({ principal, params }) =>
      webhooks.get({ workspace: principal.workspace, id: params.webhook_id }),
  });
}

function changeRoutes(server: HttpServer, webhooks: Webhooks): void {
  server.route({
    method: ['PUT', 'PATCH'],
    url: '/v1/webhooks/:webhook_id',
    schema: {
      operationId: 'updateWebhook',
      summary: 'Update a webhook',
      description: 'Changes the given fields. Setting `active` to true clears earlier failures.',
      tags,
      params: webhookPath,
      body: webhookUpdate,
      response: { 200: answer('The changed webhook.', webhookResource) },
    },
    handler: ({ principal, params, body }) =>
      webhooks.update({ workspace: principal.workspace, id: params.webhook_id }, body),
  });

  server.route({
    method: 'DELETE',
    url: '/v1/webhooks/:webhook_id',
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Nothing more is sent to it; pending deliveries are cancelled. The log stays.',
      tags,
      params: webhookPath,
      response: { 200: answer('The webhook is deleted.', deletedWebhook) },
    },
    handler: async ({ principal, params }) => {
      const id = params.webhook_id;
      await webhooks.remove({ workspace: principal.workspace, id });
      return {
        id,
        webhook_id: id,
        object: 'webhook' as const,
        deleted: true as const,
        success: true as const,
      };
    },
  });

  server.route({
    method: 'POST',
    url: '/v1/webhooks/:webhook_id/rotate-secret',
    config: { idempotent: true },
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description:
        'Creates a new secret, which appears in this response only. During the overlap ' +
        '`webhook-signature` carries signatures with both secrets, and `X-Service-Signature` still ' +
        'uses the old one.',
      tags,
      params: webhookPath,
      body: secretRotation,
      response: { 200: answer('The webhook, with its new secret.', webhookResource) },
    },
    handler: (request) =>
      webhooks.rotateSecret(
        { workspace: request.principal.workspace, id: request.params.webhook_id },
        request.body?.overlap_seconds,
        keepAnswerOf(request, 200),
      ),
  });
}
