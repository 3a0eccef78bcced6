import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { EmulatorLog } from '#test/support/emulators/emulator-log.js';
import type { PendingWork } from '#test/support/emulators/pending-work.js';
import { refuse, spoil, type ApiRefusals, type Faults } from '#test/support/emulators/faults.js';
import { ApiError, CALL_ENDED, FAILED, INVALID_CALL, TOO_MANY } from './api-error.js';
import type { CallControlCall } from './call-control-call.js';
import { dialOrder, readCommand, readOrder, type DialOrder } from './commands.js';

export interface RestApiParts {
  apiKey: string;
  connectionId: string;
  faults: Faults;
  log: EmulatorLog;
  pending: PendingWork;
  isValidNumber(number: string): boolean;
  calls(): readonly CallControlCall[];
  /** Makes the call of a place request, or returns that of a recent request with the same `command_id`. */
  create(order: DialOrder): CallControlCall;
}

const KINDS = new Map([
  ['transfer', 'transfers' as const],
  ['hangup', 'ends' as const],
]);
const WORDS: ApiRefusals = {
  tooMany: TOO_MANY,
  refused: CALL_ENDED,
  failed: FAILED,
};

/** Telnyx's REST API for Call Control, not listening yet. */
export function createCallControlApi(parts: RestApiParts): FastifyInstance {
  const { log, pending, apiKey } = parts;
  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  server.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', pending.begin());
    if (request.headers.authorization !== `Bearer ${apiKey}`)
      throw new ApiError(401, '10009', 'Authentication failed');
  });
  server.addHook('preHandler', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    const exchange = log.asks(request.method, decodeURIComponent(path), contentOf(request));
    reply.raw.once('close', () => (exchange.status = reply.raw.headersSent ? reply.statusCode : null));
  });
  server.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ApiError ? error : FAILED();
    return reply.status(known.status).headers(known.headers).send(known.body());
  });
  server.setNotFoundHandler(() => {
    throw new ApiError(404, '10005', 'Resource not found');
  });
  server.post('/v2/calls', async (request, reply) => {
    const order = readOrder(dialOrder, request.body);
    const fault = parts.faults.nextCreate(order.to);
    refuse(fault, reply, WORDS);
    if (!parts.isValidNumber(order.to)) throw new ApiError(422, '10002', 'Invalid phone number', '/to');
    if (order.connection_id !== parts.connectionId)
      throw new ApiError(422, '10017', 'Associated resource does not exist', '/connection_id');
    const call = parts.create(order);
    const answer = { data: call.resource() };
    await spoil(fault, reply, { words: WORDS, call });
    return answer;
  });
  server.get('/v2/calls/:id', (request) => ({ data: callOf(request, parts).resource() }));
  server.post('/v2/calls/:id/actions/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const call = callOf(request, parts);
    const fault = parts.faults.nextUpdate(call.line.to, KINDS.get(name) ?? 'updates');
    refuse(fault, reply, WORDS);
    const command = readCommand(name, request.body);
    if (command.name === 'transfer' && !parts.isValidNumber(command.content.to))
      throw new ApiError(422, '10002', 'Invalid phone number', '/to');
    call.do(command);
    await spoil(fault, reply, { words: WORDS, call });
    return { data: { result: 'ok' } };
  });
  server.get('/v2/connections/:id/active_calls', async () => {
    const active = parts.calls().filter((call) => !call.isOver);
    return { data: active.map((call) => call.resource()), meta: { total_items: active.length, cursors: {} } };
  });
  return server;
}

function callOf(request: FastifyRequest, { calls }: RestApiParts): CallControlCall {
  const { id } = request.params as { id: string };
  const call = calls().find((one) => one.id === id);
  if (!call) throw INVALID_CALL();
  return call;
}

function contentOf({ body }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(body ?? {}).map(([key, value]) => [key, String(value)]));
}
