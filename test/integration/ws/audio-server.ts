import { once } from 'node:events';
import websocket from '@fastify/websocket';
import { fastify, type FastifyInstance } from 'fastify';
import type { Principal } from '#access/keys/principal.js';
import { Problem, PROBLEMS } from '#kernel/errors/errors.js';
import { createIds } from '#kernel/ids/ids.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { registerAudioSockets } from '#ws/register-audio-sockets.js';
import { loadResampling } from '#media/samples/resampler.js';
import { webSocketOptions } from '#ws/limits/websocket-options.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { EchoCalls } from '#test/support/live-calls.js';
import { createMemoryLog } from '#test/support/memory-log.js';

export const KEY = 'a-key-that-may-start-calls';
export const READ_KEY = 'a-key-that-may-only-read';

const holder = (scopes: Principal['scopes']): Principal => ({
  id: 'key_1',
  type: 'api_key',
  name: 'test',
  workspace: 'default',
  scopes,
  expiresAt: null,
});
const HOLDERS: Record<string, Principal> = { [KEY]: holder(['write']), [READ_KEY]: holder(['read']) };

/** A real server with nothing but the audio sockets, on a port of its own; calls echo, time stands still. */
export interface AudioServer {
  url: string;
  calls: EchoCalls;
  clock: FakeClock;
  logLines: Record<string, unknown>[];
  server: FastifyInstance;
  /** Resolves when the server has seen the last of every socket. */
  empty(): Promise<void>;
}

export async function startAudioServer(): Promise<AudioServer> {
  const clock = new FakeClock();
  const { log, lines: logLines } = createMemoryLog();
  const calls = new EchoCalls();
  const server = fastify();
  server.setErrorHandler((error, _request, reply) =>
    error instanceof Problem
      ? reply.code(PROBLEMS[error.code].status).send({ code: error.code, details: error.details })
      : reply.code(500).send({ code: 'internal_error' }),
  );
  await server.register(websocket, webSocketOptions({ clock, log }));
  registerAudioSockets(server, {
    resampling: await loadResampling(),
    calls,
    clock,
    ids: createIds(clock),
    log,
    openSocket: createSocketOpener({ clock }),
    countRefusedCredentials: async () => {},
    sessionOf: async ({ headers }) =>
      HOLDERS[/^callwright_session=(.+)$/.exec(headers.cookie ?? '')?.[1] ?? ''] ?? null,
    authenticator: {
      async authenticateAny(credentials) {
        const known = credentials.map((credential) => HOLDERS[credential]).find((principal) => principal);
        if (!known) throw new Problem('unauthorized', 'No such key.');
        return known;
      },
    },
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as { port: number };
  const empty = async () => {
    const sockets = [...server.websocketServer.clients];
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
  };
  return { empty, url: `ws://127.0.0.1:${port}`, calls, clock, logLines, server };
}
