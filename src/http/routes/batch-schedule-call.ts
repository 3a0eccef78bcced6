import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { BatchReader } from '../../batches/reading/batch-reader.js';
import type { BatchRequestBody } from '../../batches/intake/batch-request.js';
import { batchScheduled } from '../../batches/changes/batch-resource.js';
import type { Batches } from '../../batches/changes/batches.js';
import {
  largeBodyOf,
  LARGEST_MANY_ROWS_BYTES,
  passUnread,
  takeLargeBodies,
} from '../requests/large-bodies.js';
import { answer, problems } from '../schemas/route-schema.js';
import { takeIn } from './batch-intake.js';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** `POST /batch/schedule-call` (Interface: Reference endpoints). */
export const batchScheduleCallRoutes: FastifyPluginAsyncZod<{
  batches: Batches;
  reader: BatchReader;
  body: BatchRequestBody;
  region?: CountryCode | undefined;
}> = async (server, { batches, reader, body, region }) => {
  takeLargeBodies(server, [JSON_TYPE]);
  server.route({
    method: 'POST',
    url: '/batch/schedule-call',
    config: { idempotent: true },
    bodyLimit: LARGEST_MANY_ROWS_BYTES,
    validatorCompiler: passUnread,
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
      const bytes = largeBodyOf(request.body);
      const task = { manner: 'strict', format: 'json', body: bytes, fields: {} } as const;
      const intake = await takeIn(reader, task, region);
      const done = { success: true, message: 'batch scheduled successfully' } as const;
      const { idempotency } = request;
      const keep = idempotency && ((batch: object) => idempotency.answer(200, { ...done, ...batch }));
      return { ...done, ...(await batches.create(request.principal, intake, keep)) };
    },
  });
};
