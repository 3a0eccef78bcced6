import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { BATCH_WIRE_STATUSES, batchResource } from '#batches/changes/batch-resource.js';
import type { Batches } from '#batches/changes/batches.js';
import { textField } from '#kernel/input/fields.js';
import { anyOf, createdWithin, listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import { keepAnswerOf } from '#idempotency/replay-answers.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';

const tags = ['Batches'];

/** The path parameter of routes about one batch. */
export const batchPath = z.object({
  batch_id: z
    .string()
    .meta({ description: 'The id of the batch.', examples: ['batch_01kakb8x6te1tr7m3qf0c9w2zd'] }),
});

const batchListQuery = listQuery.extend({
  status: anyOf(z.enum(BATCH_WIRE_STATUSES))
    .optional()
    .meta({ description: 'Only batches in these states.' }),
  q: textField(200).optional().meta({ description: 'Text in the name or the id.' }),
});

const requeued = z
  .object({
    id: z.string(),
    batch_id: z.string(),
    object: z.literal('batch'),
    requeued: z.int().meta({ description: 'How many numbers are called again.' }),
  })
  .meta({
    id: 'BatchRequeued',
    description: 'Numbers that are called again.',
    examples: [
      {
        id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
        batch_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
        object: 'batch',
        requeued: 3,
      },
    ],
  });

/**
 * The routes of whole batches: list, read, pause, resume, cancel, and call again the numbers that were not reached, or
 * not called because the circuit breaker gave the batch up. Reading requires the scope `read`, all else `write`.
 */
export const batchRoutes: FastifyPluginAsyncZod<{ batches: Batches }> = async (server, { batches }) => {
  readRoutes(server, batches);
  actionRoutes(server, batches);
};

function readRoutes(server: HttpServer, batches: Batches): void {
  server.route({
    method: 'GET',
    url: '/api/batches',
    schema: {
      operationId: 'listBatches',
      summary: 'List batches',
      description: 'Batches, newest first.',
      tags,
      querystring: batchListQuery,
      response: { 200: answer('One page of batches.', listOf(batchResource, 'BatchList')) },
    },
    handler: async (request, reply) => {
      const { cursor, limit, status, q } = request.query;
      const { workspace } = request.principal;
      const filter = { workspace, status, search: q, ...createdWithin(request.query) };
      return answerWithPage(request, reply, await batches.list(filter, cursor ?? null, limit));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/batches/:batch_id',
    schema: {
      operationId: 'getBatch',
      summary: 'Get a batch',
      description: 'The current state of a batch; its counters grow while it runs.',
      tags,
      params: batchPath,
      response: { 200: answer('The batch.', batchResource) },
    },
    handler: (request) => batches.get(request.principal, request.params.batch_id),
  });
}

/** Summary and description of each action on a whole batch, for the OpenAPI document. */
const ACTIONS = {
  pause: ['Pause a batch', 'Nothing more is dialled until it is resumed; live calls continue.'],
  resume: [
    'Resume a batch',
    'Continues a batch that was paused by a request, by its circuit breaker, or because the service was away when it was due.',
  ],
  cancel: ['Cancel a batch', 'Nothing more is dialled; live calls continue.'],
} as const;

function actionRoutes(server: HttpServer, batches: Batches): void {
  for (const action of ['pause', 'resume', 'cancel'] as const) {
    const [summary, description] = ACTIONS[action];
    server.route({
      method: 'POST',
      url: `/api/batches/:batch_id/${action}`,
      schema: {
        operationId: `${action}Batch`,
        summary,
        description: `${description} Repeating it changes nothing.`,
        tags,
        params: batchPath,
        response: { 200: answer('The batch.', batchResource), ...problems(409) },
      },
      handler: (request) => batches[action](request.principal, request.params.batch_id),
    });
  }

  server.route({
    method: 'POST',
    url: '/api/batches/:batch_id/retry-failed',
    config: { idempotent: true },
    schema: {
      operationId: 'retryFailedOfBatch',
      summary: 'Retry the failed calls of a batch',
      description:
        'Every number that was not reached is called once more, whatever the retry policy says, and ' +
        'so is every number that was not called because the batch was aborted. A number that the batch has twice is ' +
        'called for one of the two. A batch that had ended runs again; its next end is announced too, with the ' +
        'totals of the whole batch.',
      tags,
      params: batchPath,
      response: { 200: answer('The numbers that are called again.', requeued) },
    },
    handler: async (request) => {
      const { batch_id: id } = request.params;
      const requeuedAnswer = (count: number) => ({
        id,
        batch_id: id,
        object: 'batch' as const,
        requeued: count,
      });
      const keep = keepAnswerOf(request, 200);
      return requeuedAnswer(
        await batches.retryFailed(request.principal, id, (count) => keep(requeuedAnswer(count))),
      );
    },
  });
}
