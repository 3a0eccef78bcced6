import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { BatchReader } from '../../batches/reading/batch-reader.js';
import type { BatchRequestBody } from '../../batches/intake/batch-request.js';
import { preflightResource } from '../../batches/preflight/preflight-resource.js';
import type { Preflights } from '../../batches/preflight/preflights.js';
import {
  largeBodyOf,
  LARGEST_MANY_ROWS_BYTES,
  passUnread,
  takeLargeBodies,
} from '../requests/large-bodies.js';
import { answer, problems } from '../schemas/route-schema.js';
import { takeIn } from './batch-intake.js';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** `POST /api/batches/preflight`: what a batch would do (our choice). */
export const batchPreflightRoutes: FastifyPluginAsyncZod<{
  preflights: Preflights;
  reader: BatchReader;
  body: BatchRequestBody;
  region?: CountryCode | undefined;
}> = async (server, { preflights, reader, body, region }) => {
  takeLargeBodies(server, [JSON_TYPE]);
  server.route({
    method: 'POST',
    url: '/api/batches/preflight',
    bodyLimit: LARGEST_MANY_ROWS_BYTES,
    validatorCompiler: passUnread,
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
      const bytes = largeBodyOf(request.body);
      const task = { manner: 'lenient', format: 'json', body: bytes, fields: {} } as const;
      return preflights.foresee(request.principal, await takeIn(reader, task, region));
    },
  });
};
