import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { BatchRequestSchema } from '#batches/intake/batch-request.js';
import { batchScheduled } from '#batches/changes/batch-resource.js';
import type { Batches } from '#batches/changes/batches.js';
import { JSON_TYPE } from '#http/requests/bodies.js';
import { LARGE_BODY_ROUTE, acceptLargeBodies } from '#http/requests/large-bodies.js';
import { keepAnswerOf } from '#idempotency/replay-answers.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { readJsonBatchBody, type BatchIntakeParts } from './batch-intake.js';

/**
 * The route that creates a batch from a list of recipients in JSON. One bad row refuses the whole batch, unlike in the
 * import of a table. Requires the scope `write`.
 */
export const batchScheduleCallRoutes: FastifyPluginAsyncZod<
  BatchIntakeParts & { batches: Batches; body: BatchRequestSchema }
> = async (server, parts) => {
  const { batches, body } = parts;
  acceptLargeBodies(server, [JSON_TYPE]);
  server.route({
    method: 'POST',
    url: '/batch/schedule-call',
    config: { idempotent: true },
    ...LARGE_BODY_ROUTE,
    schema: {
      operationId: 'scheduleBatch',
      summary: 'Call many numbers, now or later',
      description:
        'Accepts a batch whole or not at all: any invalid row refuses it, and every invalid row is ' +
        'named. At most `max_concurrency` numbers are called at once, within `call_window`; a number ' +
        'that is listed twice is called once.',
      tags: ['Batches'],
      body,
      response: {
        200: answer('The batch is accepted.', batchScheduled),
        ...problems(400, 404, 409, 413, 422),
      },
    },
    handler: async (request) => {
      const intake = await readJsonBatchBody(request, 'strict', parts);
      const done = { success: true, message: 'batch scheduled successfully' } as const;
      // Stores the answer with the batch, for a repetition of the request (`Idempotency-Key`).
      const keep = keepAnswerOf(request, 200);
      const batch = await batches.create(request.principal, intake, (made) => keep({ ...done, ...made }));
      return { ...done, ...batch };
    },
  });
};
