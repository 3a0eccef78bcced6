import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { SCOPES } from '#access/keys/principal.js';
import { toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { answer } from '#http/schemas/route-schema.js';

const me = z
  .object({
    id: z.string().meta({ description: 'The id of the API key, or the subject of the token.' }),
    object: z.literal('principal').meta({ description: 'The type of this object.' }),
    type: z.enum(['api_key', 'jwt']).meta({ description: 'Which kind of credential was sent.' }),
    name: z.string().meta({ description: 'The name of the credential.' }),
    workspace: z.string().meta({ description: 'The workspace that it gives access to.' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'What it allows.' }),
    expires_at: instantOut
      .nullable()
      .meta({ description: 'Until when it is valid; null if it does not expire.' }),
  })
  .meta({
    id: 'Principal',
    description: 'Whom the credentials of the request belong to.',
    examples: [
      {
        id: 'key_01kakb8x6te1tr7m3qf0c9w2zd',
        object: 'principal',
        type: 'api_key',
        name: 'Back office',
        workspace: 'default',
        scopes: ['read', 'write'],
        expires_at: null,
      },
    ],
  });

/** The route that shows whose credentials were sent, the quickest way to test them. Requires the scope `read`. */
export const meRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/v1/me',
    {
      schema: {
        operationId: 'getMe',
        summary: 'Get the identity of the caller',
        description: 'Whom the credentials belong to, and what they allow.',
        tags: ['Access'],
        response: { 200: answer('The owner of the credentials.', me) },
      },
    },
    ({ principal }) => ({
      id: principal.id,
      object: 'principal' as const,
      type: principal.type,
      name: principal.name,
      workspace: principal.workspace,
      scopes: [...principal.scopes],
      expires_at: toInstantOrNull(principal.expiresAt),
    }),
  );
};
