import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import fastifyPlugin from 'fastify-plugin';
import { createMethodBook } from './method-book.js';

/** Headers by which a client wishes for another protocol. */
const WISHES = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * Lets only requests for a WebSocket, at a path that has one, become WebSockets. Node gives up every other wish for
 * another protocol as well once somebody listens for one: Java's client, which first asks for HTTP/2, would be refused,
 * and a socket at a path that is none would be opened only to be closed. A server may ignore the wish (RFC 9110, 7.8),
 * so these are answered as the plain requests that they are too. Registered right after the WebSocket plugin.
 */
export const upgrades = fastifyPlugin(async (app) => {
  const { server } = app;
  const socketPaths = createMethodBook();
  app.addHook('onRoute', (route) => {
    if ('wsHandler' in route || 'websocket' in route) socketPaths.note(route.url, 'GET');
  });
  const openers = server.listeners('upgrade');
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isForSocket =
      request.headers.upgrade?.toLowerCase() === 'websocket' &&
      socketPaths.allowedAt(request.url!).length > 0;
    if (isForSocket) for (const open of openers) open.call(server, request, socket, head);
    else {
      socket.unshift(Buffer.concat([asPlainRequest(request), head]));
      server.emit('connection', socket);
    }
  });
});

/** The head of a request as it came, without the wish. */
function asPlainRequest({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!WISHES.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
