import type { CountryCode } from 'libphonenumber-js';
import type { AgentRegions } from '#agents/definitions/agent-regions.js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { oneTimeRequest, recurringRequest, scheduleUpdate } from '#schedules/record/schedule-request.js';
import { scheduleResource } from '#schedules/schedule-resource.js';
import type { Schedules } from '#schedules/schedules.js';
import { answerWithPage } from '#http/answers/lists.js';
import { readByRegionOfAgent } from '#http/requests/national-numbers.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import {
  cancelQuery,
  scheduleCancelled,
  scheduleList,
  scheduleListQuery,
  schedulePath,
  toScheduleFilter,
} from './scheduled-call-shapes.js';

const tags = ['Scheduled calls'];

/** The dependencies of the routes of scheduled calls. */
export interface ScheduledCallParts {
  schedules: Schedules;
  agentRegions: AgentRegions;
  /** The country of numbers in national format, such as `DE`, if the agent has no country of its own. */
  region?: CountryCode | undefined;
}

/**
 * The routes of scheduled calls (schedules): create, list, read, change, cancel. Reading requires the scope `read`, all
 * else `write`.
 */
export const scheduledCallRoutes: FastifyPluginAsyncZod<ScheduledCallParts> = async (server, parts) => {
  createRoutes(server, parts);
  readRoutes(server, parts);
  changeRoutes(server, parts);
};

function createRoutes(server: HttpServer, { schedules, agentRegions, region }: ScheduledCallParts): void {
  const preValidation = readByRegionOfAgent(agentRegions, ['phone_number', 'from_phone']);
  const once = oneTimeRequest(region);
  const recurring = recurringRequest(region);
  server.route({
    method: 'POST',
    url: '/api/scheduled-calls',
    config: { idempotent: true },
    preValidation,
    schema: {
      operationId: 'createScheduledCall',
      summary: 'Schedule a call',
      description:
        'Schedules one call. With a `webhook_url` the response contains, once, the secret that ' +
        'notifications are signed with.',
      tags,
      body: once,
      response: { 201: answer('The call is scheduled.', scheduleResource), ...problems(400, 404, 409, 422) },
    },
    handler: async (request, reply) => {
      // The transaction that creates the schedule makes its body.
      const kept = request.idempotency?.answer(201, null) ?? null;
      const schedule = await schedules.createOnce(request.principal, request.body, kept);
      return reply.code(201).header('location', `/api/scheduled-calls/${schedule.id}`).send(schedule);
    },
  });

  server.route({
    method: 'POST',
    url: '/api/scheduled-calls/recurring',
    // `madeUnder`: the path of the created schedule, which is not below this route's path.
    config: { idempotent: true, madeUnder: '/api/scheduled-calls' },
    preValidation,
    schema: {
      operationId: 'createRecurringCall',
      summary: 'Schedule a recurring call',
      description:
        'Schedules calls by a cron expression in a time zone. Each matching local time is called ' +
        'once: a time skipped by the clock change moves forward, a time that occurs twice means the ' +
        'first; with `*` as the hour, elapsed time counts.',
      tags,
      body: recurring,
      response: {
        201: answer('The calls are scheduled.', scheduleResource),
        ...problems(400, 404, 409, 422),
      },
    },
    handler: async (request, reply) => {
      // The transaction that creates the schedule makes its body.
      const kept = request.idempotency?.answer(201, null) ?? null;
      const schedule = await schedules.createRecurring(request.principal, request.body, kept);
      return reply.code(201).header('location', `/api/scheduled-calls/${schedule.id}`).send(schedule);
    },
  });
}

function readRoutes(server: HttpServer, { schedules, region }: ScheduledCallParts): void {
  server.route({
    method: 'GET',
    url: '/api/scheduled-calls',
    schema: {
      operationId: 'listScheduledCalls',
      summary: 'List scheduled calls',
      description:
        'Schedules, newest first, or by their next run. A filter with several values matches any of ' +
        'them.',
      tags,
      querystring: scheduleListQuery(region),
      response: { 200: answer('One page of scheduled calls.', scheduleList), ...problems(400) },
    },
    handler: async (request, reply) => {
      const { cursor, limit, sort } = request.query;
      const order = sort === 'next_execution_time' ? 'next' : 'newest';
      const filter = toScheduleFilter(request.principal, request.query);
      return answerWithPage(
        request,
        reply,
        await schedules.list(filter, { order, cursor: cursor ?? null, limit }),
      );
    },
  });

  server.route({
    method: 'GET',
    url: '/api/scheduled-calls/:schedule_id',
    schema: {
      operationId: 'getScheduledCall',
      summary: 'Get a scheduled call',
      description:
        'The current state of a schedule; it can still be read after it has ended or been cancelled.',
      tags,
      params: schedulePath,
      response: { 200: answer('The scheduled call.', scheduleResource), ...problems(404) },
    },
    handler: (request) => schedules.get(request.principal, request.params.schedule_id),
  });
}

function changeRoutes(server: HttpServer, { schedules, region }: ScheduledCallParts): void {
  const update = scheduleUpdate(region);
  server.route({
    method: ['PUT', 'PATCH'],
    url: '/api/scheduled-calls/:schedule_id',
    schema: {
      operationId: 'updateScheduledCall',
      summary: 'Update a scheduled call',
      description:
        'Changes any of the fields of its creation. A new time, expression or zone reschedules it; a ' +
        'completed or failed schedule becomes active again. Not possible while the call of a one-time ' +
        'schedule is in progress, nor for a cancelled schedule.',
      tags,
      params: schedulePath,
      body: update,
      response: {
        200: answer('The changed scheduled call.', scheduleResource),
        ...problems(400, 404, 409),
      },
    },
    handler: (request) => {
      const { principal, params, body } = request;
      return schedules.update(principal, params.schedule_id, body);
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/scheduled-calls/:schedule_id',
    schema: {
      operationId: 'cancelScheduledCall',
      summary: 'Cancel a scheduled call',
      description:
        'Nothing more is dialled, not even a call that is due and waits to be dialled; the schedule ' +
        'can still be read. A call that rings or is live continues unless `hangup=true`.',
      tags,
      params: schedulePath,
      querystring: cancelQuery,
      response: { 200: answer('It is cancelled, or had ended before.', scheduleCancelled), ...problems(404) },
    },
    handler: async (request) => {
      const { hangup: hangUp, purge } = request.query;
      const schedule = await schedules.cancel(request.principal, request.params.schedule_id, {
        hangUp,
        purge,
      });
      const message = 'scheduled call cancelled';
      return { ...schedule, success: true as const, message, deleted: true as const };
    },
  });
}
