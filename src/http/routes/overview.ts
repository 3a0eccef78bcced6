import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { overviewResource, readOverview } from '#calls/statistics/overview.js';
import { timezoneField, wholeNumberQuery } from '#kernel/input/fields.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Store } from '#store/store.js';
import { answer } from '#http/schemas/route-schema.js';

/** The dependencies of the route of the overview. */
export interface OverviewRouteParts {
  store: Store;
  clock: Clock;
  defaultTimezone: string;
}

/** The route with counts and rates of the calls of the last days, for the console. Requires the scope `read`. */
export const overviewRoutes: FastifyPluginAsyncZod<OverviewRouteParts> = async (server, parts) => {
  server.route({
    method: 'GET',
    url: '/api/overview',
    schema: {
      operationId: 'getOverview',
      summary: 'Get the numbers of the last days',
      description: 'Calls of the workspace by the day on which they were created.',
      tags: ['Console'],
      querystring: z.object({
        days: wholeNumberQuery(z.int().min(1).max(90))
          .default(30)
          .meta({ type: 'integer', description: 'How many days, today included.', examples: [30] }),
        timezone: timezoneField.optional().meta({
          description: 'Whose days; else those of `DEFAULT_TIMEZONE`.',
          examples: ['Europe/Berlin'],
        }),
      }),
      response: { 200: answer('The numbers.', overviewResource) },
    },
    handler: ({ principal, query }) =>
      readOverview(principal, { days: query.days, timezone: query.timezone ?? parts.defaultTimezone }, parts),
  });
};
