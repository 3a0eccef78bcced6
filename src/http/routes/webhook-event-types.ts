import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EVENT_CATALOGUE } from '#events/event-catalogue.js';
import { EVENT_TYPE_NAMES } from '#events/event-types.js';
import { answer } from '#http/schemas/route-schema.js';
import { WEBHOOK_TAGS as tags } from './webhook-path.js';

const eventTypeList = z
  .object({
    data: z
      .array(
        z.object({
          event_type: z.enum(EVENT_TYPE_NAMES).meta({ description: 'Its name.' }),
          group: z.enum(['call', 'data', 'batch']).meta({ description: 'What it is about.' }),
          description: z.string().meta({ description: 'What has happened.' }),
          schema: z.string().meta({ description: 'Its body, as a reference into `/openapi.json`.' }),
          example: z.record(z.string(), z.unknown()).meta({
            description: 'A body, as it is sent.',
            examples: [EVENT_CATALOGUE[0]!.example],
          }),
        }),
      )
      .meta({ description: 'The event types.' }),
  })
  .meta({ id: 'EventTypeList', description: 'Every event that webhooks may receive.' });

/**
 * The route with the event types that a webhook can subscribe to, for the console and integrators. Requires the scope
 * `read`.
 */
export const webhookEventTypeRoutes: FastifyPluginAsyncZod = async (server) => {
  const data = EVENT_CATALOGUE.map(({ type, group, description, schemaId, example }) => ({
    event_type: type,
    group,
    description,
    schema: `#/components/schemas/${schemaId}`,
    example,
  }));
  server.route({
    method: 'GET',
    url: '/v1/webhooks/event-types',
    schema: {
      operationId: 'listEventTypes',
      summary: 'List event types',
      description: 'Every event type, with its schema and an example.',
      tags,
      response: { 200: answer('The event types.', eventTypeList) },
    },
    handler: () => ({ data }),
  });
};
