import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { BatchRequestBody } from '#batches/intake/batch-request.js';
import { preflightResource } from '#batches/preflight/preflight-resource.js';
import type { Preflights } from '#batches/preflight/preflights.js';
import { JSON_TYPE } from '#http/requests/bodies.js';
import { LARGE_BODY_ROUTE, takeLargeBodies } from '#http/requests/large-bodies.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { readJsonBatchBody, type BatchIntakeParts } from './batch-intake.js';

/** `POST /api/batches/preflight`: what a batch would do (our choice). */
export const batchPreflightRoutes: FastifyPluginAsyncZod<
  BatchIntakeParts & { preflights: Preflights; body: BatchRequestBody }
> = async (server, parts) => {
  const { preflights, body } = parts;
  takeLargeBodies(server, [JSON_TYPE]);
  server.route({
    method: 'POST',
    url: '/api/batches/preflight',
    ...LARGE_BODY_ROUTE,
    schema: {
      operationId: 'foreseeBatch',
      summary: 'Preview a batch',
      description:
        'Takes the body of `POST /batch/schedule-call` and reports, without creating a batch or ' +
        'dialling anybody: who would not be called and why, the number of calls in each hour, when ' +
        'the batch would finish, and what it would cost. The forecast runs the code that paces real ' +
        'batches, on a virtual clock.',
      tags: ['Batches'],
      body,
      response: { 200: answer('The forecast.', preflightResource), ...problems(400, 404, 413) },
    },
    handler: async (request) => {
      return preflights.forecast(request.principal, await readJsonBatchBody(request.body, 'lenient', parts));
    },
  });
};
