import { expect, it } from 'vitest';
import { AUTHORIZED, openTestServer } from '#test/support/server.js';

const ORIGIN = 'https://console.example.com';

it('lets pages of every origin call, with credentials, any method and any header', async () => {
  const { server } = await openTestServer();
  const preflight = await server.inject({
    method: 'OPTIONS',
    url: '/v1/me',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-api-key, x-own',
    },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(preflight.headers['access-control-allow-credentials']).toBe('true');
  expect(preflight.headers['access-control-allow-headers']).toBe('x-api-key, x-own');
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect(preflight.headers['access-control-allow-methods']).toContain(method);

  const answer = await server.inject({ url: '/v1/me', headers: { ...AUTHORIZED, origin: ORIGIN } });
  expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(answer.headers.vary).toContain('Origin');
  expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id');
});

it('lets pages read errors too', async () => {
  const { server } = await openTestServer();
  for (const url of ['/v1/me', '/nowhere']) {
    const { headers } = await server.inject({ url, headers: { origin: ORIGIN } });
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
  }
});

it('lets only the origins call that were listed', async () => {
  const { server } = await openTestServer({ corsOrigins: [ORIGIN, 'https://two.example.com'] });
  const allowed = async (origin: string) =>
    (await server.inject({ url: '/v1/me', headers: { origin } })).headers['access-control-allow-origin'];
  expect(await allowed(ORIGIN)).toBe(ORIGIN);
  expect(await allowed('https://two.example.com')).toBe('https://two.example.com');
  expect(await allowed('https://evil.example.com')).toBeUndefined();
});

it('answers the preflight of a page that may not call without any permission, and asks it for no credentials', async () => {
  const { server } = await openTestServer({ corsOrigins: [ORIGIN] });
  for (const url of ['/v1/me', '/health', '/nowhere']) {
    const { statusCode, headers, body } = await server.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'GET' },
    });
    expect([statusCode, body]).toEqual([204, '']);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(headers.vary).toContain('Origin');
  }
});

it('sends protective headers unless they are switched off', async () => {
  const secured = await openTestServer();
  const bare = await openTestServer({ secureHeaders: false });
  expect((await secured.server.inject('/health')).headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  expect((await bare.server.inject('/health')).headers).not.toHaveProperty('x-content-type-options');
});

it.each(['/health', '/health/ready', '/metrics', '/%68ealth', '/health?x=1'])(
  'lets no page of another origin read %s',
  async (url) => {
    const { server } = await openTestServer();
    const { headers } = await server.inject({ url, headers: { ...AUTHORIZED, origin: ORIGIN } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  },
);
