import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { answer } from '#http/schemas/route-schema.js';
import type { SecretFacts } from '#secrets/secret-store.js';
import type { Secrets } from '#secrets/secrets.js';

const EXAMPLE = {
  name: 'crm_key',
  object: 'secret' as const,
  created_at: '2026-11-21T00:00:00.000Z',
  updated_at: '2026-11-21T00:00:00.000Z',
  last_used_at: null,
};

const secretPath = z.object({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, 'has letters, digits, _ and - only')
    .meta({ description: 'The name of the secret, as in `{{secret.crm_key}}`.', examples: ['crm_key'] }),
});

const secretBody = z
  .object({
    value: z.string().min(1).max(8_192).meta({ description: 'The value. It is never shown again.' }),
  })
  .meta({ id: 'SecretRequest', description: 'The value of a secret.', examples: [{ value: 's3cr3t' }] });

const secretResource = z
  .object({
    name: z.string().meta({ description: 'The name of the secret.' }),
    object: z.literal('secret'),
    created_at: instantOut.meta({ description: 'When it was first set (UTC).' }),
    updated_at: instantOut.meta({ description: 'When it was last set (UTC).' }),
    last_used_at: instantOut
      .nullable()
      .meta({ description: 'When a request last carried it (UTC); null for never.' }),
  })
  .meta({ id: 'Secret', description: 'A secret, without its value.', examples: [EXAMPLE] });

const secretList = z
  .object({ object: z.literal('list'), data: z.array(secretResource).meta({ description: 'The secrets.' }) })
  .meta({
    id: 'SecretList',
    description: 'The secrets of the workspace, by name.',
    examples: [{ object: 'list', data: [EXAMPLE] }],
  });

const deletedSecret = z
  .object({ name: z.string(), object: z.literal('secret'), deleted: z.literal(true) })
  .meta({
    id: 'DeletedSecret',
    description: 'A deleted secret.',
    examples: [{ name: 'crm_key', object: 'secret', deleted: true }],
  });

/**
 * The routes of the secrets that URLs and headers of tools name. Setting and deleting requires the scope `admin`,
 * listing their names `read`.
 */
export const secretRoutes: FastifyPluginAsyncZod<{ secrets: Secrets }> = async (server, { secrets }) => {
  const tags = ['Agents'];

  server.route({
    method: 'PUT',
    url: '/api/secrets/:name',
    config: { scope: 'admin' },
    schema: {
      operationId: 'putSecret',
      summary: 'Set a secret',
      description:
        'Sets a secret of the workspace. It is encrypted, and used where the address or a header of a tool says ' +
        '`{{secret.name}}`; no request ever shows it.',
      tags,
      params: secretPath,
      body: secretBody,
      response: { 200: answer('The secret, without its value.', secretResource) },
    },
    handler: async ({ principal, params, body }) => {
      const { facts } = await secrets.put(principal.workspace, params.name, body.value);
      return toResource(facts);
    },
  });

  server.route({
    method: 'GET',
    url: '/api/secrets',
    schema: {
      operationId: 'listSecrets',
      summary: 'List secrets',
      description:
        'The names of the secrets of the workspace, and when each was last used; never their values.',
      tags,
      response: { 200: answer('The secrets.', secretList) },
    },
    handler: async ({ principal }) => {
      const facts = await secrets.list(principal.workspace);
      return { object: 'list' as const, data: facts.map(toResource) };
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/secrets/:name',
    config: { scope: 'admin' },
    schema: {
      operationId: 'deleteSecret',
      summary: 'Delete a secret',
      description: 'Deletes a secret; tools that need it fail from then on.',
      tags,
      params: secretPath,
      response: { 200: answer('The secret is deleted.', deletedSecret) },
    },
    handler: async ({ principal, params: { name } }) => {
      await secrets.remove(principal.workspace, name);
      return { name, object: 'secret' as const, deleted: true as const };
    },
  });
};

function toResource(facts: SecretFacts): z.output<typeof secretResource> {
  return {
    name: facts.name,
    object: 'secret',
    created_at: toInstant(facts.created_at),
    updated_at: toInstant(facts.updated_at),
    last_used_at: toInstantOrNull(facts.used_at),
  };
}
