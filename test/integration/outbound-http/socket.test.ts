import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { WebSocketServer } from 'ws';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { createSsrfGuard } from '#outbound-http/ssrf-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { RequestFailed } from '#outbound-http/failures.js';
import { createSocketOpener, SocketRefused } from '#outbound-http/socket.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { openLoopbackServer } from '#test/support/loopback-server.js';

const headers = { 'x-api-key': 'secret-4711' };

async function openEcho(): Promise<{ port: number; server: WebSocketServer }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  server.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  return { port: (server.address() as AddressInfo).port, server };
}

const guarded = (networks: string[], resolve: (name: string) => Promise<string[]>) =>
  createSocketOpener({
    clock: systemClock,
    guard: createSsrfGuard({ allowed: new AllowedAddresses(networks), resolve }),
  });

it('carries texts and bytes, and reports its end', async () => {
  const { port, server } = await openEcho();
  const socket = await createSocketOpener({ clock: systemClock })({
    url: `http://127.0.0.1:${port}/`,
    headers,
  });
  socket.send('hello');
  socket.send(Uint8Array.of(1, 2, 3));
  expect(await socket.next()).toEqual({ text: 'hello' });
  expect(await socket.next()).toEqual({ bytes: Buffer.of(1, 2, 3) });
  for (const one of server.clients) one.close(1008, 'policy');
  expect(await socket.next()).toBeNull();
  expect(socket.end).toEqual({ code: 1008, reason: 'policy' });
  socket.send('lost');
});

it('stops waiting at once on an abort', async () => {
  const { port } = await openEcho();
  const socket = await createSocketOpener({ clock: systemClock })({
    url: `ws://127.0.0.1:${port}/`,
    headers,
  });
  const stop = new AbortController();
  const waiting = socket.next(stop.signal);
  stop.abort();
  expect(await waiting).toBeNull();
  socket.terminate();
});

it('does not connect to private addresses, whatever the name', async () => {
  const { port, server } = await openEcho();
  const asked = (url: string, open = guarded([], async () => ['127.0.0.1'])) => open({ url, headers });
  await expect(asked(`ws://127.0.0.1:${port}/`)).rejects.toThrow('blocked_address');
  await expect(asked(`ws://voices.example:${port}/`)).rejects.toThrow('blocked_address');
  expect(server.clients.size).toBe(0);
  const allowed = guarded(['127.0.0.0/8'], async () => ['127.0.0.1']);
  (await asked(`ws://voices.example:${port}/`, allowed)).terminate();
});

it('fails a handshake without a response after three seconds', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = new FakeClock();
  const { port } = server.address() as AddressInfo;
  const opening = createSocketOpener({ clock })({
    url: `ws://127.0.0.1:${port}/path?key=secret-4711`,
    headers,
  });
  const failure = opening.catch((error: unknown) => error);
  await once(server, 'connection');
  await settle();
  await clock.advance(3_000);
  const error = await failure;
  expect(error).toBeInstanceOf(RequestFailed);
  expect(error).toMatchObject({ code: 'ETIMEDOUT' });
  expect(String(error)).not.toContain('secret');
  server.close();
});

it('reports why a handshake was refused', async () => {
  const http = await openLoopbackServer((_request, response) => response.end());
  http.server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 7\r\nretry-after: 3\r\n\r\n{"a":1}'),
  );
  const error = await createSocketOpener({ clock: systemClock })({ url: http.url, headers }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SocketRefused);
  expect(error).toMatchObject({ status: 401, body: '{"a":1}', headers: { 'retry-after': '3' } });
});

it('fails where nothing listens', async () => {
  const open = createSocketOpener({ clock: systemClock });
  await expect(open({ url: 'ws://127.0.0.1:1/', headers })).rejects.toMatchObject({ isUnsent: true });
  await expect(open({ url: 'no address', headers })).rejects.toBeInstanceOf(RequestFailed);
});
