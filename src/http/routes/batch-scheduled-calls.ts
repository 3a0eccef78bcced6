import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { scheduledCallUpdate } from '#batches/intake/batch-request.js';
import { batchResource, batchUpdated } from '#batches/changes/batch-resource.js';
import {
  scheduledCallDeleted,
  scheduledCallResource,
  scheduledCallUpdated,
} from '#batches/scheduled-calls/scheduled-call-resource.js';
import type { ScheduledCalls } from '#batches/scheduled-calls/scheduled-calls.js';
import { anyOf, createdWithin, listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { batchPath } from './batches.js';
import { scheduledCallStatus } from './scheduled-call-shapes.js';

const tags = ['Batches'];

const handlePath = z.object({
  call_id: z.string().meta({
    description:
      "The id of one recipient's call, of a whole batch, of a call that waits for its time, or of a " +
      'schedule.',
    examples: ['call_01kakb8x6te1tr7m3qf0c9w2ab'],
  }),
});

const scheduledCallList = listOf(scheduledCallResource, 'QueuedCallList');

/**
 * The routes that read, change and delete what was planned for a time, by one id (a handle): a recipient of a batch, a
 * single call, a whole batch or a schedule; and those that list single calls and recipients. Reading requires the scope
 * `read`, all else `write`.
 */
export const batchScheduledCallRoutes: FastifyPluginAsyncZod<{
  scheduledCalls: ScheduledCalls;
  /** The country of phone numbers in national format, such as `DE`; without it, numbers begin with a calling code. */
  region?: CountryCode | undefined;
}> = async (server, { scheduledCalls, region }) => {
  handleRoutes(server, scheduledCalls, region);
  listRoutes(server, scheduledCalls);
};

function handleRoutes(
  server: HttpServer,
  scheduledCalls: ScheduledCalls,
  region: CountryCode | undefined,
): void {
  const url = '/batch/scheduled-calls/:call_id';
  server.route({
    method: 'GET',
    url,
    schema: {
      operationId: 'getQueuedCall',
      summary: 'Get a scheduled call or a batch',
      description:
        'One recipient of a batch, a call that waits for its time, a whole batch, or a schedule, by ' +
        'its id.',
      tags,
      params: handlePath,
      response: {
        200: answer('The scheduled call.', z.union([batchResource, scheduledCallResource])),
        ...problems(404),
      },
    },
    handler: (request) => scheduledCalls.get(request.principal, request.params.call_id),
  });

  server.route({
    method: ['PUT', 'PATCH'],
    url,
    schema: {
      operationId: 'updateQueuedCall',
      summary: 'Update a scheduled call or a batch',
      description:
        'Every field is optional. The caller id and the time of a batch can be changed until it is ' +
        'initiated, those of a call while it waits; a new time is asked about and refused as a first one is. ' +
        'A call in progress is hung up by `cancelled`; `paused` is 409. Of a call or batch that is over only ' +
        'the name can be changed: another time, number or status is 409, and a new call has to be scheduled ' +
        'instead. The values that it has already are no change.',
      tags,
      params: handlePath,
      body: scheduledCallUpdate(region),
      response: {
        200: answer('The changed scheduled call.', z.union([batchUpdated, scheduledCallUpdated])),
        ...problems(400, 404, 409),
      },
    },
    handler: async (request) => {
      const { call_id: id } = request.params;
      const updated = await scheduledCalls.update(request.principal, id, request.body);
      const done = { success: true, message: 'scheduled call updated successfully' } as const;
      return { ...done, ...updated };
    },
  });

  server.route({
    method: 'DELETE',
    url,
    schema: {
      operationId: 'deleteQueuedCall',
      summary: 'Delete a scheduled call or a batch',
      description:
        'Cancels calls that wait and hangs up live ones. The id is unknown here afterwards; the calls ' +
        'can still be read at `/api/calls`.',
      tags,
      params: handlePath,
      response: { 200: answer('It is deleted.', scheduledCallDeleted), ...problems(404) },
    },
    handler: (request) => scheduledCalls.remove(request.principal, request.params.call_id),
  });
}

function listRoutes(server: HttpServer, scheduledCalls: ScheduledCalls): void {
  server.route({
    method: 'GET',
    url: '/batch/scheduled-calls',
    schema: {
      operationId: 'listQueuedCalls',
      summary: 'List scheduled calls',
      description:
        'The recipients of all batches and all calls that were requested for a time, newest first.',
      tags,
      querystring: listQuery,
      response: { 200: answer('One page of scheduled calls.', scheduledCallList), ...problems(400) },
    },
    handler: async (request, reply) => {
      const { cursor, limit } = request.query;
      const query = { cursor: cursor ?? null, limit, ...createdWithin(request.query) };
      return answerWithPage(request, reply, await scheduledCalls.list(request.principal, query));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/batches/:batch_id/calls',
    schema: {
      operationId: 'listCallsOfBatch',
      summary: 'List the recipients of a batch',
      description: 'In the order of the request.',
      tags,
      params: batchPath,
      querystring: listQuery.omit({ created_after: true, created_before: true }).extend({
        status: anyOf(scheduledCallStatus)
          .optional()
          .meta({ description: 'Only recipients with these statuses.' }),
      }),
      response: { 200: answer('One page of recipients.', scheduledCallList), ...problems(400, 404) },
    },
    handler: async (request, reply) => {
      const { cursor, limit, status } = request.query;
      const query = { cursor: cursor ?? null, limit, ...(status ? { statuses: status } : {}) };
      const { batch_id: id } = request.params;
      return answerWithPage(request, reply, await scheduledCalls.ofBatch(request.principal, id, query));
    },
  });
}
