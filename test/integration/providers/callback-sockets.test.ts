import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { createCallbackSockets } from '#providers/wire/callback-sockets.js';
import { FakeClock } from '#test/support/fake-clock.js';

/** A server of WebSockets on this machine; `refuse` answers handshakes with a status. */
async function openServer(refuse: number | null = null, { autoPong = true } = {}) {
  const server: Server = createServer();
  const sockets = new WebSocketServer({ noServer: true, autoPong });
  const seen: { headers: string | undefined; socket: WebSocket | null }[] = [];
  server.on('upgrade', (request, socket, head) => {
    if (refuse !== null) {
      const body = '{"err_code":"INVALID_AUTH"}';
      socket.end(
        `HTTP/1.1 ${refuse} No\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      seen.push({ headers: request.headers.authorization, socket: client });
      client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    sockets.clients.forEach((client) => client.terminate());
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/listen`, seen };
}

function connectTo(url: string, clock: Clock = systemClock) {
  const told: unknown[] = [];
  let ended!: (end: unknown) => void;
  let opened!: () => void;
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  const end = new Promise((resolve) => (ended = resolve));
  const connect = createCallbackSockets(createSocketOpener({ clock }), clock);
  const socket = connect(
    { url, headers: { authorization: 'Token k' } },
    { onOpen: () => opened(), onMessage: (data) => void told.push(data), onClose: (how) => ended(how) },
  );
  return { socket, told, isOpen, end };
}

it('a socket carries texts and bytes both ways, with the headers it was given, and tells its close', async () => {
  const { url, seen } = await openServer();
  const { socket, told, isOpen, end } = connectTo(url);
  socket.send('too early');
  await isOpen;
  socket.send('{"type":"KeepAlive"}');
  socket.send(new Uint8Array([1, 2, 3]));
  await expect.poll(() => told.length).toBe(2);
  expect(told[0]).toBe('{"type":"KeepAlive"}');
  expect([...(told[1] as Uint8Array)]).toEqual([1, 2, 3]);
  expect(seen[0]!.headers).toBe('Token k');
  seen[0]!.socket!.close(1_011, 'NET-0001');
  expect(await end).toEqual({ code: 1_011, reason: 'NET-0001' });
});

it('a refused handshake is told with its status and its answer', async () => {
  const { url } = await openServer(401);
  expect(await connectTo(url).end).toMatchObject({
    code: 1_006,
    refusal: { status: 401, body: '{"err_code":"INVALID_AUTH"}' },
  });
});

it('a server that is not there is a broken connection', async () => {
  expect(await connectTo('ws://127.0.0.1:1/').end).toMatchObject({ code: 1_006 });
});

it('a server that answers pings is kept, and asked every ten seconds', async () => {
  const { url, seen } = await openServer();
  const clock = new FakeClock();
  const { socket, told, isOpen, end } = connectTo(url, clock);
  await isOpen;
  let pings = 0;
  seen[0]!.socket!.on('ping', () => (pings += 1));
  for (const asked of [1, 2, 3]) {
    await clock.advance(10_000);
    // What is said after the ping comes back after its answer.
    socket.send('still there');
    await expect.poll(() => told.length).toBe(asked);
  }
  expect(pings).toBe(3);
  await clock.advance(9_000);
  socket.send('and now');
  await expect.poll(() => told.length).toBe(4);
  socket.close();
  await end;
  expect(clock.armed).toBe(0);
});

it('a server that has vanished without a word is a broken connection after five seconds', async () => {
  const { url } = await openServer(null, { autoPong: false });
  const clock = new FakeClock();
  const { isOpen, end } = connectTo(url, clock);
  await isOpen;
  let isOver = false;
  void end.then(() => (isOver = true));
  await clock.advance(14_900);
  expect(isOver).toBe(false);
  await clock.advance(100);
  expect(await end).toEqual({ code: 1_006, reason: '' });
});
