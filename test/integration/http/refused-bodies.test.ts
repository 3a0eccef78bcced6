import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AUTHORIZED, startTestServer, type TestServer } from '../../support/server.js';

let house: TestServer;
let url: string;

beforeAll(async () => {
  house = await startTestServer({ routes: (server) => server.post('/things', () => ({})) });
  url = `${await house.server.listen({ host: '127.0.0.1', port: 0 })}/things`;
});
afterAll(() => house.close());

it.each([
  ['too much', 'application/json', 413],
  ['what is not taken', 'text/csv', 415],
])('tells whoever is still sending %s', async (_what, type, status) => {
  const body = new Uint8Array(24 * 1024 * 1024);
  const headers = { ...AUTHORIZED, 'content-type': type };
  for (let i = 0; i < 3; i += 1) {
    const answered = await fetch(url, { method: 'POST', headers, body });
    expect(answered.status).toBe(status);
    // Closed, it would break under the client that is still sending.
    expect(answered.headers.get('connection')).not.toBe('close');
    expect(await answered.json()).toMatchObject({ status });
  }
});

it('does not wait for a flood', async () => {
  const headers = { ...AUTHORIZED, 'content-type': 'application/json', 'content-length': String(2 ** 40) };
  const flood = request(url, { method: 'POST', headers });
  flood.flushHeaders();
  const [answer] = (await once(flood, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close']);
  flood.on('error', () => {});
  flood.destroy();
});
