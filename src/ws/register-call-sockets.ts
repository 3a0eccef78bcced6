import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Principal } from '#access/keys/principal.js';
import type { CallSteering, CarryingProcess } from '#calls/live/actions/call-steering.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { Resampling } from '#media/samples/resampler.js';
import type { OpenSocket, OutboundSocket } from '#outbound-http/socket.js';
import { connectListener } from './listen-socket.js';
import { isRelayed, openAt, startRelay } from './relaying/relay.js';
import { connectMicrophone } from './speak-socket.js';

/** Interval of checking a socket's credentials again. */
const CHECK_EVERY_MS = 5_000;

/**
 * The options of the routes. `own`: they check credentials themselves, by `identify`. They work during shutdown, while
 * live calls go on.
 */
const OPEN_TO_LIVE_CALLS = { scope: 'own', whileDraining: true } as const;

/** The dependencies of the call sockets. */
export interface CallSocketsOptions {
  steering: CallSteering;
  clock: Clock;
  resampling: Resampling;
  /** The principal of a request's credentials. @throws Problem `unauthorized`, `forbidden` */
  identify(request: FastifyRequest, scope: 'read' | 'write'): Promise<Principal>;
  /** Opens the socket at another process. */
  openSocket: OpenSocket;
  log: Log;
  /** True while the credentials of the request are valid. */
  areCredentialsValid(request: FastifyRequest): Promise<boolean>;
}

/** The principal and the call of a socket whose call this process has. */
interface Admission {
  principal: Principal;
  session: LiveSession;
}

/** The same socket at the process that carries the call. */
interface Relayed {
  far: OutboundSocket;
}

/**
 * Adds the sockets through which people of the console take part in a live call: `listen` to it, `speak` in the agent's
 * place, or `whisper` to one party of two joined lines. If another process has the call, the socket is relayed to it;
 * otherwise the `open` function of its route connects it to the call.
 */
export function registerCallSockets(server: FastifyInstance, options: CallSocketsOptions): void {
  const admissions = new WeakMap<IncomingMessage, Admission | Relayed>();
  const { steering, resampling, identify } = options;

  const route = (
    name: 'listen' | 'speak' | 'whisper',
    scope: 'read' | 'write',
    open: (socket: WebSocket, admission: Admission) => void,
  ) =>
    server.route({
      method: 'GET',
      url: `/ws/calls/:call_id/${name}`,
      schema: { hide: true },
      config: OPEN_TO_LIVE_CALLS,
      preValidation: async (request: FastifyRequest) => {
        const principal = await identify(request, scope);
        const { call_id: callId } = request.params as { call_id: string };
        const session = await steering.locate(principal, callId);
        // Another process has the call.
        if ('address' in session)
          return void admissions.set(request.raw, await openElsewhere(session, request, options));
        if (name === 'speak' && session.steering.mode !== 'operator')
          throw new Problem('invalid_state', 'Take the call over first.');
        if (name === 'whisper' && session.steering.mode !== 'joined')
          throw new Problem('invalid_state', 'The caller is joined with nobody.');
        admissions.set(request.raw, { principal, session });
      },
      handler: () => {
        throw new Problem('route_not_found', 'This is a WebSocket: open it with ws:// or wss://.');
      },
      wsHandler: (socket, request) => {
        const admission = admissions.get(request.raw)!;
        if ('far' in admission) relayMessages(socket, admission.far);
        else open(socket, admission);
        closeWhenRevoked(socket, request, options);
      },
    });

  route('listen', 'read', (socket, { session }) => connectListener(socket, session));
  route('speak', 'write', (socket, { principal, session }) => {
    const onGone = () => {
      // If the operator's page is gone, the agent takes the call back.
      if (session.steering.handBack())
        void steering.note(principal, session.callId, 'hand_back').catch(() => {});
    };
    const { steering: talk } = session;
    const take = (samples: Int16Array): boolean => {
      if (talk.mode === 'operator') talk.speak(samples);
      return talk.mode === 'operator';
    };
    connectMicrophone(socket, { session, resampling, take, onGone });
  });
  route('whisper', 'write', (socket, { session }) => {
    const whisper = (samples: Int16Array) => session.otherLine.whisper(samples);
    const { sampleRateHz } = session.otherLine.session ?? session;
    const joined = { sampleRateHz, listen: session.listen.bind(session) };
    connectMicrophone(socket, { session: joined, resampling, take: whisper, onGone: () => {} });
  });
}

/** Opens the socket at the process that carries the call. */
async function openElsewhere(
  { address }: CarryingProcess,
  request: FastifyRequest,
  options: CallSocketsOptions,
): Promise<Relayed> {
  if (isRelayed(request))
    throw new Problem('invalid_state', 'The call has gone to another process just now.');
  const far = await openAt(address, request, options);
  // The far socket is closed even if this socket is never opened.
  request.raw.socket.once('close', () => far.close());
  return { far };
}

/** Relays a socket to the process that has the call. */
function relayMessages(socket: WebSocket, far: OutboundSocket): void {
  const { toFar } = startRelay(socket, far);
  socket.on('message', (message, isBinary) => toFar({ message: message as Buffer, isBinary }));
  socket.on('error', () => socket.terminate());
}

/** Closes a socket whose key was revoked or whose session ended. */
function closeWhenRevoked(socket: WebSocket, request: FastifyRequest, options: CallSocketsOptions): void {
  const task = new PeriodicTask(options.clock, {
    everyMs: CHECK_EVERY_MS,
    run: async () => {
      if (!(await options.areCredentialsValid(request)))
        socket.close(1008, 'the credentials are no longer valid');
    },
  });
  task.start();
  socket.once('close', () => task.halt());
}
