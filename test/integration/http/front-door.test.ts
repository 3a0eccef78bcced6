import { expect, it } from 'vitest';
import { AUTHORIZED, openTestServer } from '#test/support/server.js';

it('shows browsers the documentation and tells programs where things are', async () => {
  const { server } = await openTestServer();
  const page = await server.inject({ url: '/', headers: { accept: 'text/html,application/xhtml+xml' } });
  expect([page.statusCode, page.headers.location]).toEqual([302, '/docs']);
  expect((await server.inject({ url: '/', headers: { accept: 'application/json' } })).json()).toEqual({
    service: 'callwright',
    version: '1.0.0',
    docs: '/docs',
    console: null,
    health: '/health',
  });
});

it('has no documentation in production', async () => {
  const { server } = await openTestServer({ environment: 'production', servesDocs: false });
  for (const url of ['/docs', '/docs/', '/docs/json', '/docs/static/index.html', '/redoc', '/openapi.json']) {
    for (const headers of [{}, AUTHORIZED]) {
      const response = await server.inject({ url, headers });
      expect(response.json(), url).toMatchObject({ status: 404, code: 'route_not_found' });
    }
  }
  expect((await server.inject('/')).json()).toMatchObject({ docs: null });
  expect((await server.inject('/health')).json()).toMatchObject({ environment: 'production' });
});

it('says that it is alive', async () => {
  const { server } = await openTestServer();
  const response = await server.inject('/health');
  expect(response.json()).toMatchObject({
    status: 'healthy',
    ok: true,
    service: 'callwright',
    version: '1.0.0',
    environment: 'local',
  });
});

it('leaves it to the process to say where it listens', async () => {
  const { server, logLines } = await openTestServer();
  await server.listen({ host: '127.0.0.1', port: 0 });
  await server.inject('/health');
  await server.inject('/v1/me');
  const said = logLines.filter(({ level }) => level === 'info').map(({ msg }) => msg);
  expect(said).toContain('request answered');
  expect(said.filter((msg) => /listening/i.test(String(msg)))).toEqual([]);
});

it('shows its numbers to the machine itself, and elsewhere to a key or the metrics token', async () => {
  const { server } = await openTestServer({
    metricsToken: 'metrics-token-1',
    metrics: [
      { kind: 'gauge', name: 'live_calls', help: 'Calls that are live.', read: () => [{ value: 3 }] },
    ],
  });
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    server.inject({ url: '/metrics', remoteAddress, headers });
  const own = await ask('127.0.0.1');
  expect(own.headers['content-type']).toMatch(/^text\/plain/);
  expect(own.body).toContain('callwright_live_calls 3');
  expect((await ask('127.0.0.1')).body).toContain(
    'callwright_http_request_duration_seconds_count{method="GET",route="/metrics",status="200"} 1',
  );
  expect((await ask('::1')).statusCode).toBe(200);

  expect((await ask('203.0.113.9')).statusCode).toBe(401);
  for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'])
    expect((await ask('127.0.0.1', { [name]: 'whatever a proxy says' })).statusCode, name).toBe(401);
  expect((await ask('203.0.113.9', { authorization: 'Bearer metrics-token-2' })).statusCode).toBe(401);
  expect((await ask('203.0.113.9', { authorization: 'Bearer metrics-token-1' })).statusCode).toBe(200);
  expect((await ask('203.0.113.9', AUTHORIZED)).statusCode).toBe(200);
});
