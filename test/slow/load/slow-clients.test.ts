import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, TEST_KEY, type TestServer } from '#test/support/server.js';

// Short enough for a test, and who drips is never idle: nothing else can cut it.
const TIMEOUTS = { headersMs: 300, requestMs: 600, checkEveryMs: 50, idleMs: 60_000, keepAliveMs: 60_000 };
const DRIP_EVERY_MS = 50;

let service: TestServer;
let port: number;

beforeAll(async () => {
  service = await startTestServer({
    timeouts: TIMEOUTS,
    routes(server) {
      server.get('/slow', async () => {
        await sleep(DRIP_EVERY_MS);
        return {};
      });
      server.get('/long', (_request, reply) => {
        async function* parts() {
          yield 'begin';
          await sleep(TIMEOUTS.requestMs + 200);
          yield 'end';
        }
        return reply.send(Readable.from(parts()));
      });
    },
  });
  await service.server.listen({ host: '127.0.0.1', port: 0 });
  port = (service.server.server.address() as AddressInfo).port;
});
afterAll(() => service.close());

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
  expect(tookMs).toBeGreaterThan(TIMEOUTS.requestMs - 50);
});

it('cuts headers that drip', async () => {
  const { answer } = await drip('GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

/** Everything that comes back for what is sent, and then sent once there is an answer, until the server hangs up. */
async function answersTo(sent: string, afterwards = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(sent, 'latin1');
  if (afterwards !== '') socket.once('data', () => socket.write(afterwards));
  await once(socket, 'close');
  return answer;
}

const statusesOf = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

it.each([
  ['never comes', 'Content-Length: 10', ''],
  ['is no body', 'Transfer-Encoding: chunked', 'no length\r\n'],
])('answers once, and hangs up, when the body of a refused request %s', async (_what, header, rest) => {
  const answers = await answersTo(`POST /v1/api-keys HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`, rest);
  expect(statusesOf(answers)).toEqual(['401']);
});

it('leaves an answer whole that goes on while the rest of its request does not come', async () => {
  const head = 'GET /long HTTP/1.1\r\nHost: x\r\nContent-Length: 10';
  const answers = await answersTo(`${head}\r\nX-Api-Key: ${TEST_KEY}\r\n\r\n`);
  expect(statusesOf(answers)).toEqual(['200']);
  expect(answers).toMatch(/begin.*end\r\n0\r\n\r\n$/s);
});

it('answers a request before the rubbish that follows it', async () => {
  const request = `GET /slow HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TEST_KEY}\r\n\r\n`;
  const answers = await answersTo(`${request}NONSENSE\r\n\r\n`);
  expect(statusesOf(answers)).toEqual(['200', '400']);
});

it.each([
  ['without a Host', 'GET /v1/me HTTP/1.1\r\n\r\n', 'is required'],
  ['without a Host, at a path that cannot be read', 'GET /%zz HTTP/1.1\r\n\r\n', 'is required'],
  ['with two Hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 'must be sent once'],
  ['with a wrong Host', 'GET /health HTTP/1.1\r\nHost: x y/z\r\n\r\n', 'is not the name of a host'],
])('refuses a request %s in its own error shape, and hangs up', async (_what, sent, message) => {
  const answer = await answersTo(sent);
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\nx-request-id: req_.*\r\nconnection: close\r\n/is);
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'validation_error',
    details: [{ field: 'header.host', message }],
  });
});

it.each(['GET /health HTTP/1.0\r\n\r\n', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'])(
  'serves who need not name a host: %j',
  async (sent) => {
    expect(await answersTo(sent)).toMatch(/^HTTP\/1\.1 200 /);
  },
);

it.each([
  ['what is no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['whoever takes it for a proxy', 'CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n', 400],
  ['too long a header', `GET /health HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('answers %s in its own error shape', async (_what, sent, status) => {
  const answer = await answersTo(sent);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'validation_error',
    status,
    details: [],
  });
});

it('answers a request whose expectation it does not know as any other', async () => {
  const answer = await answersTo(
    'GET /health HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*x-request-id: req_/i);
});
