import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, TEST_KEY, type TestServer } from '#test/support/server.js';

const WEB_SOCKET =
  'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const HTTP_2 = 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n';

let service: TestServer;
let port: number;

beforeAll(async () => {
  service = await startTestServer({
    routes(server) {
      server.post('/echo', ({ body }) => body);
      server.route({
        method: 'GET',
        url: '/ws/echo/:name',
        config: { scope: 'public' },
        handler: () => 'no socket',
        wsHandler: (socket) => socket.close(1000, 'heard'),
      });
    },
  });
  await service.server.listen({ host: '127.0.0.1', port: 0 });
  port = (service.server.server.address() as AddressInfo).port;
});
afterAll(() => service.close());

/** Sends one request that wishes for another protocol, then a plain one; gives back everything that was answered. */
async function wish(line: string, headers: string, body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(
    `${line} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nConnection: Upgrade, HTTP2-Settings\r\n${headers}\r\n${body}` +
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  await once(socket, 'close');
  return answer;
}

it('answers a wish for HTTP/2 as the plain request that it is, body and all, and goes on listening', async () => {
  const answer = await wish('POST /echo', HTTP_2, '{"a":1}');
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"a":1\}HTTP\/1\.1 200 OK\r\n.*"healthy"/s);
});

it.each([
  ['a route that is no socket', '/health?secret=1', 200],
  ['a path that is nothing', '/ws/nothing', 404],
])('opens no socket at %s', async (_what, path, status) => {
  expect(await wish(`GET ${path}`, WEB_SOCKET)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.stringify(service.logLines)).not.toContain('secret');
});

it('opens a socket where there is one', async () => {
  expect(await wish('GET /ws/echo/me', WEB_SOCKET)).toMatch(/^HTTP\/1\.1 101 /);
});

it.each(['/ws/echo/%00', '/ws/echo/%ff', `/ws/echo/${'a'.repeat(300)}`])(
  'lets go of a connection that is refused for its path, whoever refuses it',
  async (path) =>
    expect(await wish(`GET ${path}`, WEB_SOCKET)).toMatch(/^HTTP\/1\.1 404 .*"route_not_found"/s),
);

it('answers other methods at the path of a socket as the plain requests that they are', async () => {
  const preflight = `${WEB_SOCKET}Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n`;
  expect(await wish('OPTIONS /ws/echo/me', preflight)).toMatch(/^HTTP\/1\.1 204 .*HTTP\/1\.1 200 /s);
});

it.each([
  ['no key', 'Sec-WebSocket-Version: 13\r\n', 'key', 'is required'],
  ['a short key', 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: abc\r\n', 'key', 'must be 16 bytes'],
  [
    'two keys',
    `${WEB_SOCKET.replace('Upgrade: websocket\r\n', '')}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`,
    'key',
    'must be 16 bytes in base 64, sent once',
  ],
  ['no version', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n', 'version', 'is required'],
  ['an old version', WEB_SOCKET.replace('13', '7'), 'version', 'must be 13 or 8'],
  ['a sub-protocol of nothing', `${WEB_SOCKET}Sec-WebSocket-Protocol: a,,b\r\n`, 'protocol', 'must be names'],
  ['a name that is none', `${WEB_SOCKET}Sec-WebSocket-Protocol: a, \xa0b\r\n`, 'protocol', 'must be names'],
  ['a sub-protocol twice', `${WEB_SOCKET}Sec-WebSocket-Protocol: a, b, a\r\n`, 'protocol', 'must not have a'],
])('refuses a handshake with %s in its own error shape, and hangs up', async (_what, headers, part, said) => {
  const upgrade = headers.includes('Upgrade') ? '' : 'Upgrade: websocket\r\n';
  const answer = await wish('GET /ws/echo/me', upgrade + headers);
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*x-request-id: req_.*sec-websocket-version: 13, 8\r\n/is);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  const field = `header.sec-websocket-${part}`;
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'validation_error',
    status: 400,
    details: [{ field, message: expect.stringContaining(said) }],
  });
});
