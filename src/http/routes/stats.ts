import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { CallStats } from '#calls/statistics/call-stats.js';
import { statsResource } from '#calls/statistics/stats-resource.js';
import { STATS_WINDOWS } from '#calls/statistics/stats-window.js';
import { answer } from '#http/schemas/route-schema.js';

/** The route with statistics of the calls of the last hours or days. Requires the scope `read`. */
export const statsRoutes: FastifyPluginAsyncZod<{ stats: CallStats }> = async (server, { stats }) => {
  server.route({
    method: 'GET',
    url: '/api/stats',
    schema: {
      operationId: 'getStats',
      summary: 'Get the numbers of recent calls',
      description:
        'Calls of the workspace by when they were created: how many, what became of them, how long they ' +
        'lasted, and how fast the agents responded.',
      tags: ['Calls'],
      querystring: z.object({
        window: z
          .enum(STATS_WINDOWS)
          .default('24h')
          .meta({ description: 'How far back to look.', examples: ['7d'] }),
      }),
      response: { 200: answer('The numbers.', statsResource) },
    },
    handler: async (request) => stats.read(request.principal, request.query.window),
  });
};
