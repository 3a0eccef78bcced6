import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A plain HTTP server on this machine, closed with the test. */
export interface LoopbackServer {
  url: string;
  port: number;
  server: Server;
  /** Every connection accepted. */
  sockets: Socket[];
}

export async function openLoopbackServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LoopbackServer> {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => void listener(request, response)).on(
    'connection',
    (socket) => void sockets.push(socket),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, server, sockets };
}
