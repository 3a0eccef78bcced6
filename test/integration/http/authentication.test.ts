import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '#access/keys/principal.js';
import { startTestServer, TEST_KEY, type TestServer } from '#test/support/server.js';

let service: TestServer;
const keys = new Map<Scope, string>();

beforeAll(async () => {
  service = await startTestServer({
    routes(server) {
      server.get('/look', () => ({}));
      server.post('/change', () => ({}));
      server.get('/manage', { config: { scope: 'admin' } }, () => ({}));
      server.get('/open', { config: { scope: 'public' } }, () => ({}));
    },
  });
  for (const scope of ['read', 'write', 'admin'] as const) {
    const { key } = await service.apiKeys.create({
      workspace: 'acme',
      name: scope,
      scopes: [scope],
      expiresAt: null,
    });
    keys.set(scope, key);
  }
});
afterAll(() => service.close());

const ask = (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) =>
  service.server.inject({ method, url, headers });
const status = async (method: 'GET' | 'POST', url: string, key: string) =>
  (await ask(method, url, { 'x-api-key': key })).statusCode;

describe('credentials', () => {
  it.each<Record<string, string>>([
    { 'x-api-key': TEST_KEY },
    { 'X-API-Key': TEST_KEY },
    { authorization: `Bearer ${TEST_KEY}` },
    { authorization: `bearer ${TEST_KEY}` },
    { authorization: 'Bearer wrong', 'x-api-key': TEST_KEY },
    { authorization: `Bearer ${TEST_KEY}`, 'x-api-key': 'wrong' },
  ])('are accepted as %j', async (headers) => {
    expect((await ask('GET', '/v1/me', headers)).statusCode).toBe(200);
  });

  it.each([{}, { 'x-api-key': 'wrong' }, { authorization: 'Bearer' }, { authorization: 'Basic YTpi' }])(
    'are refused as %j',
    async (headers) => {
      const response = await ask('GET', '/v1/me', headers as Record<string, string>);
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="voice"');
      expect(response.json()).toMatchObject({
        error: 'missing or invalid credentials',
        code: 'unauthorized',
      });
    },
  );

  it('are checked before the body is', async () => {
    const response = await service.server.inject({
      method: 'POST',
      url: '/v1/api-keys',
      headers: { 'content-type': 'application/json' },
      payload: '{"broken',
    });
    expect(response.statusCode).toBe(401);
  });

  it('are shown to their holder', async () => {
    const response = await ask('GET', '/v1/me', { 'x-api-key': keys.get('write')! });
    expect(response.json()).toMatchObject({
      type: 'api_key',
      name: 'write',
      workspace: 'acme',
      scopes: ['write'],
      expires_at: null,
    });
  });

  it('are not asked for where nobody needs them', async () => {
    expect((await ask('GET', '/open')).statusCode).toBe(200);
    expect((await ask('GET', '/health')).statusCode).toBe(200);
    expect((await ask('GET', '/nowhere')).statusCode).toBe(404);
  });
});

describe('scopes', () => {
  it.each<[Scope, number, number, number]>([
    ['read', 200, 403, 403],
    ['write', 200, 200, 403],
    ['admin', 200, 200, 200],
  ])('%s may look, change, manage: %i %i %i', async (scope, look, change, manage) => {
    const key = keys.get(scope)!;
    expect(await status('GET', '/look', key)).toBe(look);
    expect(await status('POST', '/change', key)).toBe(change);
    expect(await status('GET', '/manage', key)).toBe(manage);
  });
});

describe('keys over the API', () => {
  const admin = () => ({ 'x-api-key': keys.get('admin')! });

  it('are made, listed without their text, and revoked', async () => {
    const made = await service.server.inject({
      method: 'POST',
      url: '/v1/api-keys',
      headers: admin(),
      payload: { name: 'Shop', expires_at: '2099-01-01T00:00:00Z' },
    });
    expect(made.statusCode).toBe(201);
    const { id, key } = made.json<{ id: string; key: string }>();
    expect(made.json()).toMatchObject({
      key_id: id,
      scopes: ['read', 'write'],
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    expect(made.headers.location).toBe(`/v1/api-keys/${id}`);
    expect(await status('POST', '/change', key)).toBe(200);

    const list = await ask('GET', '/v1/api-keys?limit=1', admin());
    expect(list.json()).toMatchObject({ object: 'list', has_more: true, data: [{ id }] });
    expect(list.body).not.toContain(key);
    const next = /^<(.+)>; rel="next"$/.exec(String(list.headers.link))![1]!;
    const second = (await ask('GET', next, admin())).json<{ data: { id: string }[] }>();
    expect(second.data[0]!.id).not.toBe(id);

    const remove = () =>
      service.server.inject({ method: 'DELETE', url: `/v1/api-keys/${id}`, headers: admin() });
    expect((await remove()).json()).toEqual({ id, key_id: id, object: 'api_key', deleted: true });
    expect(await status('POST', '/change', key)).toBe(401);
    expect((await remove()).statusCode).toBe(404);
  });

  it('cannot be given rights in another workspace', async () => {
    const foreign = await service.apiKeys.create({
      workspace: 'other',
      name: 'x',
      scopes: ['read'],
      expiresAt: null,
    });
    const response = await service.server.inject({
      method: 'DELETE',
      url: `/v1/api-keys/${foreign.row.id}`,
      headers: admin(),
    });
    expect(response.json()).toMatchObject({ status: 404, code: 'api_key_not_found' });
  });
});
