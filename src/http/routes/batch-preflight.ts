import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { FastifyRequest } from 'fastify';
import type { Batches } from '#batches/changes/batches.js';
import type { BatchRequestSchema } from '#batches/intake/batch-request.js';
import { preflightResource } from '#batches/preflight/preflight-resource.js';
import type { Preflights } from '#batches/preflight/preflights.js';
import { JSON_TYPE } from '#http/requests/bodies.js';
import { largeBodyOf, LARGE_BODY_ROUTE, acceptLargeBodies } from '#http/requests/large-bodies.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { readBatchBody, type BatchIntakeParts } from './batch-intake.js';
import { readTableFields, TABLE_TYPES, tableQuery, tableText } from './batch-table.js';

/**
 * The route that forecasts a batch without creating it: who would not be called and why, when it would end, and its
 * cost. The body is that of a batch, in JSON or as a table. Requires the scope `write`.
 */
export const batchPreflightRoutes: FastifyPluginAsyncZod<
  BatchIntakeParts & { batches: Batches; preflights: Preflights; body: BatchRequestSchema }
> = async (server, parts) => {
  const { batches, preflights, body, region } = parts;
  acceptLargeBodies(server, [JSON_TYPE, ...TABLE_TYPES]);
  server.route({
    method: 'POST',
    url: '/api/batches/preflight',
    ...LARGE_BODY_ROUTE,
    schema: {
      operationId: 'foreseeBatch',
      summary: 'Preview a batch',
      description:
        'Takes the body of `POST /batch/schedule-call`, or a table as `POST /api/batches/import` does, and reports, without creating a batch or ' +
        'dialling anybody: who would not be called and why, the number of calls in each hour, when ' +
        'the batch would finish, and what it would cost. The forecast runs the code that paces real ' +
        'batches, on a virtual clock.',
      tags: ['Batches'],
      body: {
        content: { 'application/json': { schema: body }, 'text/csv': { schema: tableText } },
      },
      querystring: tableQuery(region),
      response: { 200: answer('The forecast.', preflightResource), ...problems(404) },
    },
    handler: async (request) => {
      const { principal, query } = request;
      const task = isTable(request)
        ? { format: 'csv' as const, fields: readTableFields(query) }
        : { format: 'json' as const, fields: {} };
      const bytes = largeBodyOf(request.body);
      // `lenient`: a row that is invalid is part of the forecast, and does not refuse the request.
      const intake = await readBatchBody({ mode: 'lenient', body: bytes, ...task }, principal, parts);
      await batches.check(principal, intake);
      return preflights.forecast(principal, intake);
    },
  });
};

function isTable({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const type = headers['content-type'] ?? '';
  return TABLE_TYPES.some((known) => known.test(type));
}
