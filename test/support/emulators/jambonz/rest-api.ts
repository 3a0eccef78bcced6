import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { EmulatorLog } from '../emulator-log.js';
import type { PendingWork } from '../pending-work.js';
import type { ApiFault, Faults } from '../twilio/faults.js';
import { ApiError, readOrder, readUpdate, type Application, type Order } from './api-rules.js';
import type { JambonzCall } from './jambonz-call.js';

export interface RestApiParts {
  accountSid: string;
  apiKey: string;
  applications: Readonly<Record<string, Application>>;
  /** What a change is refused with that the state of its call forbids. */
  wrongStateStatus: 422 | 500;
  faults: Faults;
  log: EmulatorLog;
  pending: PendingWork;
  /** Whether there is a server that could place a call. */
  hasServer(): boolean;
  find(sid: string): JambonzCall | undefined;
  create(order: Order): JambonzCall;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The REST API of an emulated jambonz, not yet listening. */
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
    const { status, message } = error instanceof ApiError ? error : new ApiError(500, String(error));
    return reply
      .status(status)
      .headers(status === 429 ? { 'retry-after': '5' } : {})
      .send({ msg: message });
  });
  const calls = '/v1/Accounts/:account/Calls';
  server.post(calls, create(parts));
  server.get(`${calls}/:sid`, async (request) => callOf(request, parts).info.webhook());
  // PUT is the documented one; POST is kept for those who came early.
  for (const method of ['PUT', 'POST'] as const)
    server.route({ method, url: `${calls}/:sid`, handler: update(parts) });
  return server;
}

function create(parts: RestApiParts): Handler {
  return async (request, reply) => {
    const fault = parts.faults.creates.shift();
    refuse(fault, reply);
    if (!parts.hasServer()) throw new ApiError(480, 'no available feature servers at this time');
    const call = parts.create(readOrder(request.body, parts.applications));
    await afterwards(fault, reply, call);
    return reply.status(201).send({ sid: call.sid, callId: call.sipCallId });
  };
}

function update(parts: RestApiParts): Handler {
  return async (request, reply) => {
    const fault = parts.faults.updates.shift();
    refuse(fault, reply);
    const wanted = readUpdate(request.body);
    const call = callOf(request, parts);
    const isAllowed = call.update(wanted);
    if (!isAllowed) throw new ApiError(parts.wrongStateStatus, 'incompatible with the state of the call');
    await afterwards(fault, reply, call);
    return reply.status(202).send('Accepted');
  };
}

/** Faults that keep a request from being done. */
function refuse(fault: ApiFault | undefined, reply: FastifyReply): void {
  if (fault?.kind === 'too_many') throw new ApiError(429, 'Too Many Requests');
  if (fault?.kind === 'server_error' && !fault.isDone) throw new ApiError(500, 'Internal Server Error');
  if (fault?.kind === 'broken_connection') breakConnection(reply);
}

/** Faults of a request that was done. */
async function afterwards(
  fault: ApiFault | undefined,
  reply: FastifyReply,
  call: JambonzCall,
): Promise<void> {
  if (fault?.kind === 'server_error') throw new ApiError(500, 'Internal Server Error');
  if (fault?.kind === 'lost_answer') breakConnection(reply);
  if (fault?.kind === 'callback_first') await call.told;
}

/** Destroys the connection; the request has no answer, and its handler is left. */
function breakConnection(reply: FastifyReply): never {
  reply.hijack();
  reply.raw.destroy();
  throw new ApiError(500, 'the connection is broken');
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
