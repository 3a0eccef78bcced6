import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '#access/authenticator.js';
import type { Principal } from '#access/keys/principal.js';
import type { LiveCalls, StreamRight } from '#calls/live/sessions/live-call.js';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { OpenSocket } from '#outbound-http/socket.js';
import type { Resampling } from '#media/samples/resampler.js';
import { AudioSocket } from './audio-socket.js';
import { createSocketAuthoriser } from '#ws/opening/socket-authoriser.js';
import { IncomingMessages, OutgoingMessages } from '#ws/messages/message-batches.js';
import { createKeepalive } from '#ws/limits/keepalive.js';
import { isRelayed, openAt } from '#ws/relaying/relay.js';
import { readStreamRequest, type StreamRequest } from '#ws/opening/stream-request.js';

/** The dependencies of the audio sockets. */
export interface AudioSocketsOptions {
  calls: LiveCalls;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** For clients whose sample rate differs from ours. */
  resampling: Resampling;
  /** Opens a socket at the process that carries its call. */
  openSocket: OpenSocket;
  authenticator: Pick<Authenticator, 'authenticateAny'>;
  /** The principal of a console session; null without one. */
  sessionOf(request: FastifyRequest): Promise<Principal | null>;
  /**
   * Counts refused credentials against the client's address.
   * @throws Problem `rate_limited`
   */
  countRefusedCredentials(request: FastifyRequest): Promise<void>;
}

/** The result of the checks before a socket is opened. */
interface Admission {
  requested: StreamRequest;
  right: StreamRight | null;
}

/** The last path contains a single-use token, for carriers that drop the query. */
const PATHS = ['/ws/stream', '/ws/stream/:agentId', '/ws/stream/:agentId/:token'];

/**
 * Adds the routes of the audio sockets (docs/audio-socket.md) to a server with `@fastify/websocket` and
 * `webSocketOptions`. Credentials are checked before a socket opens (401); a client without credentials may send them
 * in its first message.
 */
export function registerAudioSockets(server: FastifyInstance, options: AudioSocketsOptions): void {
  const { calls, clock, log, resampling } = options;
  const authoriser = createSocketAuthoriser(options);
  const outgoing = new OutgoingMessages();
  const incoming = new IncomingMessages(outgoing);
  const shared = { calls, clock, log, keepalive: createKeepalive(clock), incoming, outgoing, resampling };
  const admissions = new WeakMap<IncomingMessage, Admission>();

  const countRefusals = <Right>(request: FastifyRequest, right: Promise<Right>): Promise<Right> =>
    right.catch(async (error: unknown) => {
      // Without the count, keys could be guessed as fast as sockets open.
      if (error instanceof Problem && error.code === 'unauthorized')
        await options.countRefusedCredentials(request);
      throw error;
    });

  /** Runs before the socket is opened, so that a refusal is an HTTP answer. */
  const admit = async (request: FastifyRequest) => {
    const right = await countRefusals(request, authoriser.admit(request));
    admissions.set(request.raw, { requested: readStreamRequest(request), right });
  };
  for (const url of PATHS) {
    server.route({
      method: 'GET',
      url,
      schema: { hide: true },
      // `own`: the route checks credentials itself, in `admit`. During shutdown it still connects calls that were
      // accepted before, and refuses others with a reason.
      config: { scope: 'own', whileDraining: true },
      preValidation: admit,
      handler: () => {
        throw new Problem('route_not_found', 'This is a WebSocket: open it with ws:// or wss://.');
      },
      wsHandler: (socket, request) => {
        const { requested, right } = admissions.get(request.raw)!;
        const connection = request.raw.socket;
        const check = (credential: string) => countRefusals(request, authoriser.check(credential));
        const openElsewhere = async (address: string) => {
          if (isRelayed(request)) throw new Problem('invalid_state', 'The call has gone to another process.');
          return openAt(address, request, options);
        };
        new AudioSocket(
          socket,
          { requested, right, connection, check, openAt: openElsewhere },
          shared,
        ).begin();
      },
    });
  }
  // The call id of a direct socket is known before it opens; a token names its own call.
  server.after(() => {
    server.websocketServer.on('headers', (headers, request) => {
      const right = admissions.get(request)?.right;
      if (right?.kind === 'principal') headers.push(`X-Call-Id: ${right.callId}`);
    });
  });
}
