import swagger from '@fastify/swagger';
import fastifyPlugin from 'fastify-plugin';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { OpenApiDocument } from './openapi-document.js';
import { finishDocument } from './openapi-finish.js';
import { IDEMPOTENCY_HEADER } from './openapi-headers.js';
import { withWebhooks } from './openapi-webhooks.js';
import { API_VERSION } from './response-facts.js';

const DESCRIPTION = `A self-hosted voice calling service: it dials, an agent talks, and the business is told what happened.

Credentials: \`Authorization: Bearer <token or API key>\` or \`x-api-key: <API key>\`; either one is enough.
Times are RFC 3339 in UTC, durations are seconds unless a name says otherwise. A time without an offset is read in the
\`timezone\` beside it, else in the service's own, when it says when to call somebody; in filters and in \`expires_at\`,
\`since\` and the like it means UTC. Unknown input fields are ignored (those of a playbook are refused), and \`null\` means the
same as leaving a field out. Every answer carries \`X-Request-Id\`.`;

/** The groups of the document, in the order in which a reader wants them. */
const TAGS = [
  { name: 'Calls', description: 'Place calls, follow them, and read what was said.' },
  { name: 'Recordings', description: 'What was heard: where it is, and the sound itself.' },
  { name: 'Agents', description: 'Who talks: what an agent says first, thinks with and sounds like.' },
  { name: 'Phone numbers', description: 'Which agent answers which number.' },
  {
    name: 'Scheduled calls',
    description: 'Calls at a time, once or again and again, and what became of them.',
  },
  { name: 'Batches', description: 'Calls to many people, and how far they are.' },
  { name: 'Calling policy', description: 'Who may be called, and why somebody was not.' },
  { name: 'Carriers', description: 'Where telephone carriers tell what happens to calls.' },
  { name: 'Webhooks', description: 'Where events are sent, and how that went.' },
  { name: 'Access', description: 'API keys, and who they belong to.' },
  { name: 'Operations', description: 'Whether the service is well.' },
];

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI 3.1 document of every route, made of the same schemas that check the requests. */
    openApi(): OpenApiDocument;
  }
}

export const openApi = fastifyPlugin(async (app) => {
  const describeRoute = createJsonSchemaTransform({ zodToJsonConfig: { override: keepWhatClientsWrite } });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Callwright',
        version: API_VERSION,
        summary: 'Voice calls with an agent that talks.',
        description: DESCRIPTION,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'This service.' }],
      tags: TAGS,
      security: [{ bearer: [] }, { apiKey: [] }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A token of the identity provider, or an API key.',
          },
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
        },
      },
    },
    transform: (input) => {
      const { schema, url } = describeRoute(input);
      const headers = input.route.config?.idempotent && { headers: IDEMPOTENCY_HEADER };
      return { schema: { ...schema, ...headers }, url };
    },
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig: { override: keepWhatClientsWrite } }),
  });
  let document: OpenApiDocument | null = null;
  const describe = () => finishDocument(withWebhooks(app.swagger() as unknown as OpenApiDocument));
  app.decorate('openApi', () => (document ??= describe()));
});

/**
 * zod drops examples and defaults from what is asked for when it is transformed on being read: it takes them to be of
 * the result. Ours are always what a client writes.
 */
function keepWhatClientsWrite({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const { examples, default: usual } = z.globalRegistry.get(zodSchema as z.ZodType) ?? {};
  Object.assign(
    jsonSchema,
    examples !== undefined && { examples },
    usual !== undefined && { default: usual },
  );
}
