import swagger from '@fastify/swagger';
import fastifyPlugin from 'fastify-plugin';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { withContents } from './openapi-bodies.js';
import type { OpenApiDocument } from './openapi-document.js';
import { finishDocument } from './openapi-finish.js';
import { IDEMPOTENCY_HEADER } from './openapi-headers.js';
import { withWebhooks } from './openapi-webhooks.js';
import { API_VERSION } from '#http/answers/response-facts.js';

const DESCRIPTION = `A self-hosted voice calling service. It dials a number or answers one, an agent holds the conversation, and your
systems are told what happened.

**Credentials.** \`Authorization: Bearer <token or API key>\` or \`x-api-key: <API key>\`; either is enough.

**Bodies.** JSON with snake_case fields. Unknown input fields are ignored and named in \`warnings\` of the answer (in a
playbook they are refused); \`null\` means the same as leaving a field out. Times are RFC 3339 in UTC; durations are in seconds unless the name ends in \`_ms\`.

**Lists** return the newest first: \`limit\` sets the page size, and \`next_cursor\` of one page is the \`cursor\` of the next.

**Errors** have one shape everywhere, see the schema \`Problem\`: \`code\` is for programs, \`message\` for people, and \`details\` names the
fields. Every response carries \`X-Request-Id\`.

**Audio** is streamed over a WebSocket, which OpenAPI cannot describe: \`/ws/stream/{agent_id}\`, or \`/ws/stream\` for the
default agent. The credentials above work, as does \`?token=\`. Binary frames carry 16-bit little-endian PCM, mono, in both
directions, at \`sample_rate=16000\` (default) or \`8000\`, or G.711 with \`encoding=mulaw\`. With \`events=true\` the service also
sends JSON text frames, the transcript among them. It closes with 1000 when the call is over, 1001 when the service shuts down, 1008
for credentials or protocol, 1009 when too much was sent, 1011 for a fault of ours, 1013 when trying again later may help, and 4404
when there is no such agent.`;

/** The groups of operations, in reading order. A test checks that every documented route is in one of them. */
const TAGS = [
  { name: 'Calls', description: 'Place calls, follow them, and read what was said.' },
  { name: 'Recordings', description: 'The sound of a call.' },
  {
    name: 'Agents',
    description: 'Who talks: first message, playbook, voice, and the providers behind them.',
  },
  { name: 'Phone numbers', description: 'Which agent answers which of your numbers.' },
  {
    name: 'Scheduled calls',
    description: 'Calls at a later time, once or by a cron expression, in the local time of a zone.',
  },
  { name: 'Batches', description: 'One agent calls many numbers: preflight, import, progress and results.' },
  { name: 'Calling policy', description: 'Who may be called and when, and why a call was made or not.' },
  { name: 'Webhooks', description: 'Where events are sent, and the log of deliveries.' },
  { name: 'Carriers', description: 'What telephone networks request of this service.' },
  { name: 'Console', description: 'Signing in to the page at `/console`, and what it shows live.' },
  { name: 'Access', description: 'API keys and the identity behind a credential.' },
  { name: 'Operations', description: 'Health and metrics of this process.' },
];

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The OpenAPI 3.1 document of the routes, generated at the first call from the schemas that the server validates
     * by.
     */
    openApi(): OpenApiDocument;
  }
}

/**
 * The server's plugin that generates the OpenAPI document of all routes whose schema does not `hide` them, for
 * `GET /openapi.json`, the pages of `/docs` and `npm run openapi`.
 */
export const openApi = fastifyPlugin(async (app) => {
  const describeRoute = withContents(
    createJsonSchemaTransform({ zodToJsonConfig: { override: keepWhatClientsWrite } }),
  );
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Callwright',
        version: API_VERSION,
        summary: 'Voice calls held by an agent.',
        description: DESCRIPTION,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: TAGS,
      security: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A token issued by the identity provider, or an API key.',
          },
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'callwright_session',
            description: 'A session of the console; changes also carry `X-CSRF-Token`.',
          },
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
 * For transformed request schemas zod omits examples and defaults, because it assumes that they describe the output.
 * Here they always describe what a client sends.
 */
function keepWhatClientsWrite({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const { examples, default: defaultValue } = z.globalRegistry.get(zodSchema as z.ZodType) ?? {};
  Object.assign(
    jsonSchema,
    examples !== undefined && { examples },
    defaultValue !== undefined && { default: defaultValue },
  );
}
