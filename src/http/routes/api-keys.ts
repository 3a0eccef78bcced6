import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ApiKeys } from '#access/keys/api-keys.js';
import { createdWithin, listQuery, answerWithPage } from '#http/answers/lists.js';
import { answer } from '#http/schemas/route-schema.js';
import {
  apiKey,
  apiKeyList,
  apiKeyRequest,
  deletedApiKey,
  exampleId,
  newApiKey,
  toApiKey,
} from './api-key-shapes.js';

const keyPath = z.object({
  key_id: z.string().meta({ description: 'The id of the key.', examples: [exampleId] }),
});

/** The routes that create, list, show and revoke the API keys of a workspace. All require the scope `admin`. */
export const apiKeyRoutes: FastifyPluginAsyncZod<{ apiKeys: ApiKeys }> = async (app, { apiKeys }) => {
  const config = { scope: 'admin' } as const;
  const tags = ['Access'];

  app.post(
    '/v1/api-keys',
    {
      config,
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          "Creates a key for the caller's workspace. The key itself appears in this response only; it " +
          'is not stored, so an `Idempotency-Key` has no effect here.',
        tags,
        body: apiKeyRequest,
        response: { 201: answer('The new key.', newApiKey) },
      },
    },
    async ({ body, principal }, reply) => {
      const expiresAt = body.expires_at ?? null;
      const request = { name: body.name, scopes: body.scopes, expiresAt, workspace: principal.workspace };
      const { key, row } = await apiKeys.create(request);
      return reply
        .code(201)
        .header('location', `/v1/api-keys/${row.id}`)
        .send({ ...toApiKey(row), key });
    },
  );

  app.get(
    '/v1/api-keys',
    {
      config,
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description: 'The keys of the workspace that have not been revoked, newest first.',
        tags,
        querystring: listQuery,
        response: { 200: answer('One page of keys.', apiKeyList) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const { workspace } = request.principal;
      const filter = { workspace, ...createdWithin(request.query) };
      const page = await apiKeys.list(filter, cursor ?? null, limit);
      return answerWithPage(request, reply, { items: page.items.map(toApiKey), next: page.next });
    },
  );

  app.get(
    '/v1/api-keys/:key_id',
    {
      config,
      schema: {
        operationId: 'getApiKey',
        summary: 'Get an API key',
        description: 'The facts of a key; the key itself is not stored.',
        tags,
        params: keyPath,
        response: { 200: answer('The key.', apiKey) },
      },
    },
    async ({ params, principal }) =>
      toApiKey(await apiKeys.get({ workspace: principal.workspace, id: params.key_id })),
  );

  app.delete(
    '/v1/api-keys/:key_id',
    {
      config,
      schema: {
        operationId: 'deleteApiKey',
        summary: 'Revoke an API key',
        description: 'The key stops working within a second and cannot be restored.',
        tags,
        params: keyPath,
        response: { 200: answer('The key no longer works.', deletedApiKey) },
      },
    },
    async ({ params, principal }) => {
      const revoked = await apiKeys.revoke({ workspace: principal.workspace, id: params.key_id });
      return { id: revoked.id, key_id: revoked.id, object: 'api_key' as const, deleted: true as const };
    },
  );
};
