import type { KeyObject } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { EmulatorLog } from '#test/support/emulators/emulator-log.js';
import type { PendingWork } from '#test/support/emulators/pending-work.js';
import { refuse, spoil, type ApiRefusals, type Faults } from '#test/support/emulators/faults.js';
import type { CallOrder, EmulatedCall } from './emulated-call.js';
import { NccoError, readActions } from './ncco.js';
import { ApiError, readChange, readDigits, readOrder } from './orders.js';
import { badApplicationToken } from './tokens.js';

export interface RestApiParts {
  publicKey: KeyObject;
  applicationId: string;
  nowMs(): number;
  faults: Faults;
  log: EmulatorLog;
  pending: PendingWork;
  isValidNumber(number: string): boolean;
  find(id: string): EmulatedCall | undefined;
  /** Null above the rate limit. */
  create(order: CallOrder & { to: string; from: string }): EmulatedCall | null;
}

const WORDS: ApiRefusals = {
  tooMany: (seconds) => throttled({ 'retry-after': String(seconds) }),
  refused: wrongState,
  failed: () => new ApiError(500, 'server-error', 'An error'),
};

/** The Voice API, not listening yet. Source: Vonage's Voice API reference. */
export function createRestApi(parts: RestApiParts): FastifyInstance {
  const { log, pending } = parts;
  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  const usedIds = new Set<string>();
  server.addHook('onRequest', async (request, reply) => {
    const end = pending.begin();
    reply.raw.once('close', end);
    const { publicKey, applicationId } = parts;
    const why = badApplicationToken(request.headers.authorization, {
      publicKey,
      applicationId,
      usedIds,
      nowMs: parts.nowMs(),
    });
    if (why) throw new ApiError(401, 'unauthorized', why);
  });
  server.addHook('preHandler', async (request, reply) => {
    const form = Object.fromEntries(
      Object.entries(request.body ?? {}).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    const exchange = log.asks(request.method, request.url.split('?')[0]!, form);
    reply.raw.once('close', () => (exchange.status = reply.raw.headersSent ? reply.statusCode : null));
  });
  server.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ApiError ? error : new ApiError(500, 'server-error', String(error));
    return reply
      .status(known.status)
      .headers(known.headers)
      .type('application/problem+json')
      .send(known.body());
  });
  server.setNotFoundHandler(() => {
    throw new ApiError(404, 'not-found', 'There is nothing here');
  });
  server.post('/v1/calls', (request, reply) => create(parts, request, reply));
  server.get('/v1/calls/:id', (request) => look(parts, request));
  server.put('/v1/calls/:id', (request, reply) => update(parts, request, reply));
  server.put('/v1/calls/:id/dtmf', (request) => press(parts, request));
  return server;
}

async function look(parts: RestApiParts, request: FastifyRequest): Promise<unknown> {
  return callOf(request, parts).record.resource();
}

async function press(parts: RestApiParts, request: FastifyRequest): Promise<unknown> {
  const call = callOf(request, parts);
  const digits = readDigits(request.body);
  if (call.record.status !== 'answered') throw wrongState();
  call.keys.push(digits);
  return { message: 'DTMF sent', uuid: call.record.uuid };
}

async function create(parts: RestApiParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const order = readOrder(request.body, parts.isValidNumber);
  const fault = parts.faults.nextCreate(order.to);
  refuse(fault, reply, WORDS);
  const call = parts.create(order);
  if (!call) throw throttled();
  const { uuid, status, direction, conversation } = call.record;
  await spoil(fault, reply, { words: WORDS, call });
  return reply.status(201).send({ uuid, status, direction, conversation_uuid: conversation });
}

async function update(parts: RestApiParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const call = callOf(request, parts);
  const change = readChange(request.body);
  const fault = parts.faults.nextUpdate(call.record.to, change.kind === 'hangup' ? 'ends' : 'transfers');
  refuse(fault, reply, WORDS);
  if (call.record.isOver) throw wrongState();
  if (change.kind === 'hangup') call.hangUp();
  else if (call.record.status !== 'answered') throw wrongState();
  else call.redirect(checked(change.ncco));
  await spoil(fault, reply, { words: WORDS, call });
  return reply.status(204).send();
}

function checked(ncco: string): string {
  try {
    readActions(ncco);
    return ncco;
  } catch (error) {
    if (!(error instanceof NccoError)) throw error;
    throw new ApiError(400, 'invalid-params', error.message, { parameters: ['destination.ncco'] });
  }
}

function throttled(headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(429, 'throttled', 'You have exceeded your call rate', { headers });
}

function wrongState(): ApiError {
  return new ApiError(400, 'invalid-state', 'The call is not in a state in which that can be done');
}

/** @throws ApiError */
function callOf(request: FastifyRequest, { find }: RestApiParts): EmulatedCall {
  const { id } = request.params as { id: string };
  const call = find(id);
  if (!call) throw new ApiError(404, 'not-found', 'There is no such call');
  return call;
}
