import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import fastifyPlugin from 'fastify-plugin';
import { createRouteMethods } from '#http/requests/route-methods.js';
import { handshakeProblem, SOCKET_VERSIONS } from './handshake.js';

/** Headers by which a client asks for another protocol, such as WebSocket or HTTP/2. */
const UPGRADE_HEADERS = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * The server's plugin that upgrades only WebSocket requests to paths that have a socket; all other requests for an
 * upgrade are answered as plain HTTP, as a server may do (RFC 9110, 7.8). The WebSocket plugin alone would take every
 * upgrade, because Node passes them all to the plugin's listener: Java's client, which first asks for HTTP/2, would be
 * refused, and sockets on other paths would be opened and closed. This plugin must be registered right after the
 * WebSocket plugin, whose listeners it takes over.
 */
export const upgrades = fastifyPlugin(async (app) => {
  const { server } = app;
  const socketPaths = createRouteMethods();
  app.addHook('onRoute', (route) => {
    if ('wsHandler' in route || 'websocket' in route) socketPaths.note(route.url, 'GET');
  });
  // `preHandler` runs after the credentials were checked: a client with wrong ones gets 401 and learns nothing else.
  app.addHook('preHandler', (request, reply, done) => {
    const problem = request.ws ? handshakeProblem(request.headers) : undefined;
    if (problem) reply.headers({ 'sec-websocket-version': SOCKET_VERSIONS.join(', '), connection: 'close' });
    done(problem);
  });
  // Runs after every HTTP answer, including answers to requests that were refused before the WebSocket plugin saw them.
  app.addHook('onResponse', (request, _reply, done) => {
    if (asksForSocket(request.raw)) closeSocket(request.raw);
    done();
  });
  // The listeners of the WebSocket plugin.
  const openers = server.listeners('upgrade');
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (asksForSocket(request) && socketPaths.allowedAt(request.url!).length > 0)
      for (const open of openers) open.call(server, request, socket, head);
    else {
      // The request is put back into the socket without its upgrade headers, and Node reads it again.
      socket.unshift(Buffer.concat([asPlainRequest(request), head]));
      server.emit('connection', socket);
    }
  });
});

/**
 * True if a request asks for a WebSocket. In a hook, the request is then for a path that has a socket: the upgrade
 * headers of other requests were removed before Fastify saw them.
 */
export function asksForSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Closes a connection that asked for a WebSocket and got an HTTP answer. Node's HTTP server has let go of the
 * connection, so nothing else would close it.
 */
export function closeSocket({ socket }: IncomingMessage): void {
  socket.destroySoon();
}

/** The request line and headers as received, without the headers for another protocol. */
function asPlainRequest({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
