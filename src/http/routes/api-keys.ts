import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ApiKeyRow } from '../../access/api-key.js';
import type { ApiKeys } from '../../access/api-keys.js';
import { SCOPES } from '../../access/principal.js';
import { toInstant, toInstantOrNull } from '../../kernel/clock.js';
import { instantField, instantOut, optional, optionalWithDefault, textField } from '../fields.js';
import { listOf, listQuery, sendList } from '../lists.js';
import { answer } from '../route-schema.js';

const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length);
const LONGEST_NAME = 200;

const apiKeyRequest = z
  .object({
    name: textField(LONGEST_NAME, 1).meta({ description: 'What the key is for.', examples: ['Back office'] }),
    scopes: optionalWithDefault(scopes, ['read', 'write']).meta({
      description: '`read` looks, `write` also changes, `admin` also manages keys.',
      examples: [['read', 'write']],
    }),
    expires_at: optional(instantField).meta({
      description: 'Until when the key is valid; left out, until it is revoked.',
      examples: ['2027-12-31T23:59:59Z'],
    }),
  })
  .meta({
    id: 'ApiKeyRequest',
    description: 'A key to be made.',
    examples: [{ name: 'Back office', scopes: ['read', 'write'] }],
  });

const id = z.string().meta({ description: 'The id of the key.' });
const keyFields = {
  id,
  key_id: id.meta({ description: 'The id of the key, under its longer name.' }),
  object: z.literal('api_key').meta({ description: 'What this is.' }),
  name: z.string().meta({ description: 'What the key is for.' }),
  scopes: z.array(z.enum(SCOPES)).meta({ description: 'What the key may do.' }),
  key_hint: z.string().meta({ description: 'The end of the key, to tell it from others.' }),
  created_at: instantOut.meta({ description: 'When it was made.' }),
  expires_at: instantOut
    .nullable()
    .meta({ description: 'Until when it is valid; null until it is revoked.' }),
};
const exampleId = 'key_01kakb8x6te1tr7m3qf0c9w2zd';
const example = {
  id: exampleId,
  key_id: exampleId,
  object: 'api_key',
  name: 'Back office',
  scopes: ['read', 'write'],
  key_hint: 'cw_live_…x8Tw',
  created_at: '2026-11-21T00:00:00.000Z',
  expires_at: null,
};

const apiKey = z
  .object({
    ...keyFields,
    last_used_at: instantOut.nullable().meta({ description: 'When it was last used, to the minute.' }),
  })
  .meta({
    id: 'ApiKey',
    description: 'An API key, without the key itself.',
    examples: [{ ...example, last_used_at: null }],
  });
const newApiKey = z
  .object({ ...keyFields, key: z.string().meta({ description: 'The key itself. It is never shown again.' }) })
  .meta({
    id: 'NewApiKey',
    description: 'An API key that was just made.',
    examples: [{ ...example, key: 'cw_live_5Qk1…' }],
  });
const deletedApiKey = z
  .object({ id, key_id: id, object: z.literal('api_key'), deleted: z.literal(true) })
  .meta({
    id: 'DeletedApiKey',
    description: 'That a key is no longer valid.',
    examples: [{ id: exampleId, key_id: exampleId, object: 'api_key', deleted: true }],
  });
const apiKeyList = listOf(apiKey, 'ApiKeyList');

/** Keys for programs. Managing them needs the scope `admin`. */
export const apiKeyRoutes: FastifyPluginAsyncZod<{ apiKeys: ApiKeys }> = async (app, { apiKeys }) => {
  const config = { scope: 'admin' } as const;
  const tags = ['Access'];

  app.post(
    '/v1/api-keys',
    {
      config,
      schema: {
        operationId: 'createApiKey',
        summary: 'Make an API key',
        description:
          'Makes a key for the workspace of the caller. The key itself is shown in this answer only.',
        tags,
        body: apiKeyRequest,
        response: { 201: answer('The key was made.', newApiKey) },
      },
    },
    async ({ body, principal }, reply) => {
      const expiresAt = body.expires_at ?? null;
      const request = { name: body.name, scopes: body.scopes, expiresAt, workspace: principal.workspace };
      const { id: keyId, key, hint, createdAt } = await apiKeys.create(request);
      return reply.code(201).send({
        id: keyId,
        key_id: keyId,
        object: 'api_key' as const,
        name: body.name,
        scopes: body.scopes,
        key_hint: hint,
        created_at: toInstant(createdAt),
        expires_at: toInstantOrNull(expiresAt),
        key,
      });
    },
  );

  app.get(
    '/v1/api-keys',
    {
      config,
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'The keys of the workspace that were not revoked, newest first.',
        tags,
        querystring: listQuery,
        response: { 200: answer('One page of keys.', apiKeyList) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, created_after, created_before } = request.query;
      const page = await apiKeys.list({
        workspace: request.principal.workspace,
        limit,
        cursor: cursor ?? null,
        createdAfter: created_after ?? null,
        createdBefore: created_before ?? null,
      });
      return sendList(request, reply, { items: page.items.map(toWire), next: page.next });
    },
  );

  app.delete(
    '/v1/api-keys/:key_id',
    {
      config,
      schema: {
        operationId: 'deleteApiKey',
        summary: 'Revoke an API key',
        description: 'The key stops working within a second, for good.',
        tags,
        params: z.object({
          key_id: z.string().meta({ description: 'The id of the key.', examples: [exampleId] }),
        }),
        response: { 200: answer('The key no longer works.', deletedApiKey) },
      },
    },
    async ({ params, principal }) => {
      const revoked = await apiKeys.revoke({ workspace: principal.workspace, id: params.key_id });
      return { id: revoked.id, key_id: revoked.id, object: 'api_key' as const, deleted: true as const };
    },
  );
};

function toWire(row: ApiKeyRow): z.infer<typeof apiKey> {
  return {
    id: row.id,
    key_id: row.id,
    object: 'api_key',
    name: row.name,
    scopes: row.scopes,
    key_hint: row.key_hint,
    created_at: toInstant(row.created_at),
    expires_at: toInstantOrNull(row.expires_at),
    last_used_at: toInstantOrNull(row.last_used_at),
  };
}
