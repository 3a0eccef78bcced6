import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { EmulatorLog } from '#test/support/emulators/emulator-log.js';
import type { PendingWork } from '#test/support/emulators/pending-work.js';
import { refuse, spoil, type ApiRefusals, type Faults } from '#test/support/emulators/faults.js';
import { ApiError, readOrder, readUpdate, type Application, type Order, type Update } from './api-rules.js';
import type { JambonzCall } from './jambonz-call.js';

export interface RestApiParts {
  accountSid: string;
  apiKey: string;
  applications: Readonly<Record<string, Application>>;
  /** The answer to a change that the call's state forbids. */
  wrongStateStatus: 422 | 500;
  faults: Faults;
  log: EmulatorLog;
  pending: PendingWork;
  /** True if a server with capacity for a call exists. */
  hasServer(): boolean;
  find(sid: string): JambonzCall | undefined;
  create(order: Order): JambonzCall;
}

const WORDS: ApiRefusals = {
  tooMany: (seconds) => new ApiError(429, 'Too Many Requests', { 'retry-after': String(seconds) }),
  refused: () => new ApiError(422, 'incompatible with the state of the call'),
  failed: () => new ApiError(500, 'Internal Server Error'),
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The REST API of an emulated jambonz, not listening yet. */
export function createRestApi(parts: RestApiParts): FastifyInstance {
  const { log, pending } = parts;
  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  server.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', pending.begin());
    const { account } = request.params as { account?: string };
    if (request.headers.authorization !== `Bearer ${parts.apiKey}`) throw new ApiError(401, 'Unauthorized');
    if (account !== parts.accountSid) throw new ApiError(404, 'Not Found');
  });
  server.addHook('preHandler', async (request, reply) => {
    const exchange = log.asks(request.method, request.url, textsOf(request.body));
    reply.raw.once('close', () => (exchange.status = reply.raw.headersSent ? reply.statusCode : null));
  });
  server.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ApiError ? error : new ApiError(500, String(error));
    return reply.status(known.status).headers(known.headers).send({ msg: known.message });
  });
  const calls = '/v1/Accounts/:account/Calls';
  server.post(calls, create(parts));
  server.get(`${calls}/:sid`, async (request) => callOf(request, parts).info.webhook());
  // PUT is documented; POST remains for older clients.
  for (const method of ['PUT', 'POST'] as const)
    server.route({ method, url: `${calls}/:sid`, handler: update(parts) });
  return server;
}

function create(parts: RestApiParts): Handler {
  return async (request, reply) => {
    const order = readOrder(request.body, parts.applications);
    const fault = parts.faults.nextCreate(order.to.number);
    refuse(fault, reply, WORDS);
    if (!parts.hasServer()) throw new ApiError(480, 'no available feature servers at this time');
    const call = parts.create(order);
    await spoil(fault, reply, { words: WORDS, call });
    return reply.status(201).send({ sid: call.sid, callId: call.sipCallId });
  };
}

function update(parts: RestApiParts): Handler {
  return async (request, reply) => {
    const wanted = readUpdate(request.body);
    const call = callOf(request, parts);
    const fault = parts.faults.nextUpdate(call.info.to, kindOf(wanted));
    refuse(fault, reply, WORDS);
    const isAllowed = call.update(wanted);
    if (!isAllowed) throw new ApiError(parts.wrongStateStatus, 'incompatible with the state of the call');
    await spoil(fault, reply, { words: WORDS, call });
    return reply.status(202).send('Accepted');
  };
}

function kindOf(wanted: Update): 'transfers' | 'ends' | 'updates' {
  if ('call_hook' in wanted) return 'transfers';
  return 'call_status' in wanted ? 'ends' : 'updates';
}

function callOf(request: FastifyRequest, { find }: RestApiParts): JambonzCall {
  const { sid } = request.params as { sid: string };
  const call = find(sid);
  if (!call) throw new ApiError(404, 'Not Found');
  return call;
}

function textsOf(body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
