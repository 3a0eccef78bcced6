import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { timeZones } from '#kernel/time/time-zone.js';
import { schedulerHealth, type SchedulerHealth } from '#schedules/runs/scheduling/scheduler-health.js';
import { answer } from '#http/schemas/route-schema.js';
import { timezoneList } from './scheduled-call-shapes.js';

const tags = ['Scheduled calls'];

/**
 * The routes with the health of the scheduler, and the time zones that schedules accept. They require the scope `read`.
 */
export const schedulerRoutes: FastifyPluginAsyncZod<{ health: SchedulerHealth }> = async (
  server,
  { health },
) => {
  server.route({
    method: 'GET',
    url: '/api/scheduler/health',
    schema: {
      operationId: 'getSchedulerHealth',
      summary: 'Get the health of the scheduler',
      description:
        '`degraded`: due calls wait for more than 5 seconds, or the clock has jumped. `unhealthy`: nothing is ' +
        'run. `reason` says why.',
      tags,
      response: {
        200: answer('The scheduler is running.', schedulerHealth),
        503: answer('The scheduler is not running.', schedulerHealth),
      },
    },
    handler: async (request, reply) => {
      const report = await health.report(request.principal.workspace);
      return reply.code(report.status === 'unhealthy' ? 503 : 200).send(report);
    },
  });

  server.route({
    method: 'GET',
    url: '/api/timezones',
    schema: {
      operationId: 'listTimezones',
      summary: 'List time zones',
      description: 'The names of the supported time zones, the most used first.',
      tags,
      response: { 200: answer('The time zones.', timezoneList) },
    },
    handler: () => ({
      object: 'list' as const,
      data: timeZones(),
      has_more: false as const,
      next_cursor: null,
    }),
  });
};
