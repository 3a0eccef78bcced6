import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FakeClock } from '#test/support/fake-clock.js';
import { AUTHORIZED, openTestServer } from '#test/support/server.js';

it('limits each credential by itself, says how much is left, and spares what must always be answered', async () => {
  const { server, apiKeys } = await openTestServer({ rateLimitPerMinute: 2 });
  const { key } = await apiKeys.create({
    workspace: 'default',
    name: 'x',
    scopes: ['read'],
    expiresAt: null,
  });
  const ask = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

  const first = await ask('/v1/me', AUTHORIZED);
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
  expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
  await ask('/v1/me', AUTHORIZED);
  const refused = await ask('/v1/me', AUTHORIZED);
  expect(refused.json()).toMatchObject({ status: 429, code: 'rate_limited', error: 'too many requests' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['ratelimit-remaining']).toBe('0');

  expect((await ask('/v1/me', { 'x-api-key': key })).statusCode).toBe(200);
  for (let index = 0; index < 5; index++) {
    const health = await ask('/health');
    expect(health.statusCode).toBe(200);
    expect(health.headers).not.toHaveProperty('ratelimit-limit');
  }
});

it.each([
  ['', '/v1/me'],
  [', where nothing else is counted too', '/metrics'],
])('counts refused credentials against the address that they come from%s', async (_where, url) => {
  const { server, apiKeys } = await openTestServer({ rateLimitPerMinute: 2 });
  const ask = (headers: Record<string, string>) =>
    server.inject({ url, remoteAddress: '192.0.2.1', headers });
  // Of those who ask from there, too.
  expect((await ask(AUTHORIZED)).statusCode).toBe(200);
  const guess = (remoteAddress: string) =>
    server.inject({ url, remoteAddress, headers: { 'x-api-key': 'a-guess' } });
  const statuses = [await guess('192.0.2.1'), await guess('192.0.2.1'), await guess('192.0.2.1')];
  expect(statuses.map((answer) => answer.statusCode)).toEqual([401, 401, 429]);
  expect(Number(statuses[2]!.headers['retry-after'])).toBeGreaterThan(0);
  expect((await guess('192.0.2.2')).statusCode).toBe(401);
  expect((await ask(AUTHORIZED)).statusCode).toBe(200);
  // A right guess is as slow as a wrong one.
  const { key } = await apiKeys.create({
    workspace: 'default',
    name: 'x',
    scopes: ['read'],
    expiresAt: null,
  });
  expect((await ask({ 'x-api-key': key })).statusCode).toBe(429);
});

it('counts what is tried out beside a good credential', async () => {
  const { server } = await openTestServer({ rateLimitPerMinute: 20 });
  const statuses = [];
  for (let guess = 0; guess < 25; guess += 1) {
    const headers = { authorization: `Bearer guess-${guess}`, ...AUTHORIZED };
    const asked = { url: '/metrics', remoteAddress: '192.0.2.1', headers };
    statuses.push((await server.inject(asked)).statusCode);
  }
  expect(statuses.slice(-3)).toEqual([429, 429, 429]);
});

it('while it drains is not ready, answers who looks, and begins nothing new', async () => {
  const { server } = await openTestServer({
    routes: (routes) => {
      routes.post('/begin', () => ({}));
    },
  });
  expect((await server.inject('/health/ready')).json()).toMatchObject({ status: 'ready' });
  server.drain();
  const ready = await server.inject('/health/ready');
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'draining', checks: {} }]);
  const refused = await server.inject({ method: 'POST', url: '/begin', headers: AUTHORIZED });
  expect(refused.json()).toMatchObject({ status: 503, code: 'unavailable' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await server.inject({ url: '/v1/me', headers: AUTHORIZED })).statusCode).toBe(200);
  expect((await server.inject('/health')).statusCode).toBe(200);
});

it('says which models are left out, and is alive all the same', async () => {
  const outage = { part: 'language_model', provider: 'openai', model: null } as const;
  const { server } = await openTestServer({
    degraded: () => [{ ...outage, reason: 'refused_credentials', sinceMs: 1_764_000_000_000, untilMs: null }],
  });
  const { statusCode, body } = await server.inject('/health');
  expect(statusCode).toBe(200);
  expect(JSON.parse(body)).toMatchObject({
    status: 'healthy',
    degraded: [{ ...outage, reason: 'refused_credentials', since: '2025-11-24T16:00:00.000Z', until: null }],
  });
  expect((await server.inject('/health/ready')).statusCode).toBe(200);
});

it('is not ready when something it needs is not well, or does not say so in time', async () => {
  const clock = new FakeClock();
  const { server } = await openTestServer({
    clock,
    readiness: [
      { name: 'database', check: async () => {} },
      { name: 'disk', check: () => Promise.reject(new Error('full: /var/lib')) },
      { name: 'speech', check: () => new Promise(() => {}) },
    ],
  });
  const answer = server.inject('/health/ready').then((response) => response);
  while (clock.armed === 0) await turn();
  await clock.advance(2_000);
  const { statusCode, body } = await answer;
  expect(statusCode).toBe(503);
  expect(JSON.parse(body)).toEqual({
    status: 'unavailable',
    checks: { database: 'ok', disk: 'failed', speech: 'timeout' },
  });
  expect(body).not.toContain('/var/lib');
});
