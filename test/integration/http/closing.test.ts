import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { FakeClock } from '#test/support/fake-clock.js';
import { startTestServer } from '#test/support/server.js';

it.each([
  ['reads an answer', 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['sends a request', 'POST /endless HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
])('a server that closes waits five seconds for who %s, and no longer', async (_what, head) => {
  const clock = new FakeClock();
  const { server, close } = await startTestServer({
    clock,
    // Nothing but the clock of this test ends anything.
    timeouts: { headersMs: 0, requestMs: 0, checkEveryMs: 0, idleMs: 0, keepAliveMs: 0 },
    routes(routes) {
      const silent = () => new Readable({ read: () => {} });
      const config = { scope: 'public' } as const;
      routes.get('/endless', { config }, (_request, reply) => reply.send(silent()));
      routes.post('/endless', { config }, () => 'never');
    },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const reader = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  const isGone = once(reader, 'close');
  const isAsked = once(server.server, 'request');
  reader.resume().write(head);
  await isAsked;

  let isClosed = false;
  const closing = close().then(() => (isClosed = true));
  await clock.advance(4_999);
  expect(isClosed).toBe(false);
  await clock.advance(1);
  await Promise.all([closing, isGone]);
  expect(clock.armed).toBe(0);
});
