import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { Clock } from '#kernel/time/clock.js';
import type { LocalCertificate } from '#webhooks/local-certificate.js';

/** The reaction of an odd receiver to a request: raw bytes, like a faulty server. */
export type Oddity = (socket: TLSSocket, clock: Clock, carrying: Socket) => void;

const head = (status: string, ...headers: string[]) =>
  `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`;
const OK = '200 OK';
const CHUNK = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;

/** Calls `step` at an interval until the peer is gone. */
function drip(socket: TLSSocket, clock: Clock, step: () => void, everyMs = 50): void {
  const again = () => {
    if (socket.destroyed) return;
    step();
    clock.after(everyMs, again);
  };
  again();
}

/** Writes as fast as the peer reads. */
function flood(socket: TLSSocket, chunk: string | Buffer): void {
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pour);
  pour();
}

/** Ten megabytes of zeros compressed to ten kilobytes, repeated endlessly. */
const BOMB = gzipSync(Buffer.alloc(10 * 1024 * 1024));

export const ODDITIES: Record<string, Oddity> = {
  silent: () => {},
  'header drip': (socket, clock) => {
    socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
    drip(socket, clock, () => socket.write('a'));
  },
  'body drip': (socket, clock) => {
    socket.write(head(OK, 'content-length: 100000'));
    drip(socket, clock, () => socket.write('a'));
  },
  reset: (_socket, _clock, carrying) => void carrying.resetAndDestroy(),
  'closed without a word': (socket) => socket.end(),
  'cut after 200': (socket) => {
    socket.write(head(OK, 'content-length: 1000'));
    socket.write('beginning', () => socket.destroy());
  },
  'gzip bomb': (socket) => {
    socket.write(head(OK, 'content-encoding: gzip', 'transfer-encoding: chunked'));
    flood(socket, Buffer.concat([Buffer.from(`${BOMB.length.toString(16)}\r\n`), BOMB, Buffer.from('\r\n')]));
  },
  'endless body': (socket) => {
    socket.write(head(OK, 'transfer-encoding: chunked'));
    flood(socket, CHUNK);
  },
  'endless headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    flood(socket, `x-more: ${'y'.repeat(1000)}\r\n`);
  },
  'not HTTP': (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
  '100-continue': (socket) =>
    socket.end(`HTTP/1.1 100 Continue\r\n\r\n${head(OK, 'content-length: 2', 'connection: close')}ok`),
  '103 early hints': (socket) =>
    socket.end(
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head(OK, 'content-length: 2', 'connection: close')}ok`,
    ),
};

/** A receiver that speaks TLS and then behaves oddly. */
export async function openOddReceiver(
  oddity: Oddity,
  certificate: LocalCertificate,
  clock: Clock,
  host = '127.0.0.1',
): Promise<{ url: string; close(): void }> {
  const sockets = new Set<TLSSocket>();
  /** The TCP connections below TLS, by the peer's port. */
  const carrying = new Map<number | undefined, Socket>();
  const server = createTlsServer({ key: certificate.key, cert: certificate.certificate }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => oddity(socket, clock, carrying.get(socket.remotePort)!));
  });
  server.on('tlsClientError', () => {});
  server.on('connection', (socket) => carrying.set(socket.remotePort, socket));
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
