import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '#access/authenticator.js';
import type { Principal } from '#access/keys/principal.js';
import type { LiveCalls, StreamRight } from '#calls/live/sessions/live-call.js';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Resampling } from '#media/samples/resampler.js';
import { AudioSocket } from './audio-socket.js';
import { createSocketAuthoriser } from '#ws/opening/socket-authoriser.js';
import { IncomingMessages } from '#ws/messages/incoming-messages.js';
import { createKeepalive } from '#ws/limits/keepalive.js';
import { OutgoingMessages } from '#ws/messages/outgoing-messages.js';
import { readStreamRequest, type StreamRequest } from '#ws/opening/stream-request.js';

/** What the audio sockets are made of. */
export interface AudioSocketsOptions {
  calls: LiveCalls;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** For clients whose sample rate is none of ours. */
  resampling: Resampling;
  authenticator: Pick<Authenticator, 'authenticateAny'>;
  /** The owner of the console's session, where a page of this service asks; null without one. */
  sessionOf(request: FastifyRequest): Promise<Principal | null>;
  /**
   * Counts a request with refused credentials against its address.
   * @throws Problem `rate_limited`
   */
  countRefusedCredentials(request: FastifyRequest): Promise<void>;
}

/** What was found out about a request before its socket is opened. */
interface Admission {
  requested: StreamRequest;
  right: StreamRight | null;
}

/** The last one carries a single-use token where a carrier drops the query. */
const PATHS = ['/ws/stream', '/ws/stream/:agentId', '/ws/stream/:agentId/:token'];

/**
 * Adds the audio sockets to a server that has `@fastify/websocket` registered with `webSocketOptions`. Credentials are
 * checked before the socket opens (401); a request without any may bring one in its first message.
 */
export function registerAudioSockets(server: FastifyInstance, options: AudioSocketsOptions): void {
  const { calls, clock, log, resampling } = options;
  const authoriser = createSocketAuthoriser(options);
  const outgoing = new OutgoingMessages();
  const incoming = new IncomingMessages(outgoing);
  const shared = { calls, clock, log, keepalive: createKeepalive(clock), incoming, outgoing, resampling };
  const admissions = new WeakMap<IncomingMessage, Admission>();

  const counted = <Right>(request: FastifyRequest, right: Promise<Right>): Promise<Right> =>
    right.catch(async (error: unknown) => {
      // Else keys could be tried out here as fast as sockets can be opened.
      if (error instanceof Problem && error.code === 'unauthorized')
        await options.countRefusedCredentials(request);
      throw error;
    });

  const admit = async (request: FastifyRequest) => {
    const right = await counted(request, authoriser.admit(request));
    admissions.set(request.raw, { requested: readStreamRequest(request), right });
  };
  for (const url of PATHS) {
    server.route({
      method: 'GET',
      url,
      schema: { hide: true },
      // Whoever was dialled, or let in, before the service began to stop is still talked with; others are told why not.
      config: { scope: 'own', whileDraining: true },
      preValidation: admit,
      handler: () => {
        throw new Problem('route_not_found', 'This is a WebSocket: open it with ws:// or wss://.');
      },
      wsHandler: (socket, request) => {
        const { requested, right } = admissions.get(request.raw)!;
        const connection = request.raw.socket;
        const check = (credential: string) => counted(request, authoriser.check(credential));
        new AudioSocket(socket, { requested, right, connection, check }, shared).begin();
      },
    });
  }
  // The call id of a direct socket is known before it opens; that of a token's call is the token's own.
  server.after(() => {
    server.websocketServer.on('headers', (headers, request) => {
      const right = admissions.get(request)?.right;
      if (right?.kind === 'principal') headers.push(`X-Call-Id: ${right.callId}`);
    });
  });
}
