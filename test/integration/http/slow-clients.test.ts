import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, TEST_KEY, type TestServer } from '../../support/server.js';

// Short enough for a test, far enough apart that which limit cut a client is certain.
const PATIENCE = { headersMs: 300, requestMs: 600, checkEveryMs: 50, idleMs: 5_000, keepAliveMs: 5_000 };
const DRIP_EVERY_MS = 50;
const LONGEST_MS = 3_000;

let house: TestServer;
let port: number;

beforeAll(async () => {
  house = await startTestServer({ patience: PATIENCE });
  await house.server.listen({ host: '127.0.0.1', port: 0 });
  port = (house.server.server.address() as AddressInfo).port;
});
afterAll(() => house.close());

/** Sends `head`, then a byte again and again for as long as the server bears it. */
async function drip(head: string): Promise<{ answer: string; tookMs: number }> {
  const socket: Socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.on('error', () => {});
  const startedMs = performance.now();
  socket.write(head);
  const dripping = setInterval(() => socket.write('a'), DRIP_EVERY_MS);
  await once(socket, 'close');
  clearInterval(dripping);
  return { answer, tookMs: performance.now() - startedMs };
}

it('cuts a body that drips', async () => {
  const head = `POST /v1/api-keys HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"name":"`;
  const { answer, tookMs } = await drip(head);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  const message = 'The request did not arrive whole in time.';
  const body: unknown = JSON.parse(answer.split('\r\n\r\n')[1]!);
  expect(body).toMatchObject({ code: 'validation_error', status: 408, message });
  expect(tookMs).toBeGreaterThan(PATIENCE.requestMs - 50);
  expect(tookMs).toBeLessThan(LONGEST_MS);
});

it('cuts headers that drip', async () => {
  const { answer, tookMs } = await drip('GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(tookMs).toBeLessThan(LONGEST_MS);
});

it.each([
  ['what is no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['too long a header', `GET /health HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('answers %s in its own error shape', async (_what, sent, status) => {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(sent);
  await once(socket, 'close');
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'validation_error',
    status,
    details: [],
  });
});

it('answers a request whose expectation it does not know as any other', async () => {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*x-request-id: req_/i);
});
