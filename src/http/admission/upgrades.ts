import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import fastifyPlugin from 'fastify-plugin';
import { createRouteMethods } from '#http/requests/route-methods.js';
import { handshakeProblem, SOCKET_VERSIONS } from './handshake.js';

/** Headers by which a client asks for another protocol. */
const UPGRADE_HEADERS = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * Lets only requests for a WebSocket, at a path that has one, become WebSockets. Once somebody listens for upgrades,
 * Node leaves requests for any other protocol to that listener as well: Java's client, which first asks for HTTP/2,
 * would be refused, and a socket at a path that is none would be opened only to be closed. A server may ignore an
 * upgrade (RFC 9110, 7.8), so these are answered as the plain requests that they are too. Registered right after the
 * WebSocket plugin.
 */
export const upgrades = fastifyPlugin(async (app) => {
  const { server } = app;
  const socketPaths = createRouteMethods();
  app.addHook('onRoute', (route) => {
    if ('wsHandler' in route || 'websocket' in route) socketPaths.note(route.url, 'GET');
  });
  // After the credentials: a stranger is told nothing else.
  app.addHook('preHandler', (request, reply, done) => {
    const problem = request.ws ? handshakeProblem(request.headers) : undefined;
    if (problem) reply.headers({ 'sec-websocket-version': SOCKET_VERSIONS.join(', '), connection: 'close' });
    done(problem);
  });
  // Also of those that are refused before the WebSocket plugin has seen them.
  app.addHook('onResponse', (request, _reply, done) => {
    if (asksForSocket(request.raw)) closeSocket(request.raw);
    done();
  });
  const openers = server.listeners('upgrade');
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (asksForSocket(request) && socketPaths.allowedAt(request.url!).length > 0)
      for (const open of openers) open.call(server, request, socket, head);
    else {
      socket.unshift(Buffer.concat([asPlainRequest(request), head]));
      server.emit('connection', socket);
    }
  });
});

/** Whether a request asks to become a WebSocket: where there are none, it has lost the headers for that by now. */
export function asksForSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Lets go of a connection that asked to become a WebSocket and was answered instead. Node has given it away by then:
 * nobody else would ever close it.
 */
export function closeSocket({ socket }: IncomingMessage): void {
  socket.destroySoon();
}

/** The head of a request as it came, without the headers that ask for another protocol. */
function asPlainRequest({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
