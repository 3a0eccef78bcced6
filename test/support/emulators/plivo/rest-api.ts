import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { EmulatorLog } from '#test/support/emulators/emulator-log.js';
import type { PendingWork } from '#test/support/emulators/pending-work.js';
import { refuse, spoil, type ApiRefusals, type Faults } from '#test/support/emulators/faults.js';
import type { PlivoCall, PlivoOrder } from './emulated-call.js';
import { badOrder, liveCall, queuedCall, recordOf } from './resources.js';

export interface PlivoRestParts {
  authId: string;
  authToken: string;
  faults: Faults;
  log: EmulatorLog;
  pending: PendingWork;
  /** Ends the work counted for a request. */
  underWay: WeakMap<IncomingMessage, () => void>;
  isValidNumber(number: string): boolean;
  /** By the call's id, once it is a call. */
  find(callId: string): PlivoCall | undefined;
  /** By the request's id. */
  findRequest(requestId: string): PlivoCall | undefined;
  create(order: PlivoOrder): PlivoCall;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** An unsuccessful answer. */
class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const WORDS: ApiRefusals = {
  tooMany: (seconds) => new ApiError(429, 'too many requests', { 'retry-after': String(seconds) }),
  refused: () => new ApiError(400, 'the call cannot be changed'),
  failed: () => new ApiError(500, 'server error'),
};

/** Plivo's REST API, not listening yet. Its paths end with a slash. */
export function createPlivoRestApi(parts: PlivoRestParts): FastifyInstance {
  const { log, pending } = parts;
  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  server.addHook('onRequest', async (request, reply) => {
    const end = pending.begin();
    parts.underWay.set(request.raw, end);
    reply.raw.once('close', end);
    requireCredentials(request, parts);
  });
  server.addHook('preHandler', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    const exchange = log.asks(request.method, path, orderOf(request));
    reply.raw.once('close', () => (exchange.status = reply.raw.headersSent ? reply.statusCode : null));
  });
  server.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ApiError ? error : new ApiError(500, String(error));
    return reply
      .status(known.status)
      .headers(known.headers)
      .send({ api_id: randomUUID(), error: known.message });
  });
  server.setNotFoundHandler(() => {
    throw new ApiError(404, 'not found');
  });
  const account = '/v1/Account/:account';
  server.post(`${account}/Call/`, create(parts));
  server.get(`${account}/Call/:call/`, show(parts));
  server.delete(`${account}/Call/:call/`, hangUp(parts));
  server.post(`${account}/Call/:call/`, handOver(parts));
  server.post(`${account}/Call/:call/DTMF/`, async (request, reply) => {
    talking(request, parts).digits.push(orderOf(request)['digits'] ?? '');
    return reply.status(202).send({ api_id: randomUUID(), message: 'digits sent' });
  });
  server.delete(`${account}/Request/:request/`, async (request, reply) => {
    const call = parts.findRequest((request.params as { request: string }).request);
    if (call?.status !== 'queued') throw new ApiError(404, 'not found');
    call.callOff();
    return reply.status(204).send();
  });
  return server;
}

function create(parts: PlivoRestParts): Handler {
  return async (request, reply) => {
    const order = orderOf(request);
    const fault = parts.faults.nextCreate(order['to'] ?? '');
    refuse(fault, reply, WORDS);
    const error = badOrder(order, parts.isValidNumber);
    if (error !== null) throw new ApiError(400, error);
    const call = parts.create(order);
    // The answer waits for something slow.
    if (fault?.kind === 'callback_first') parts.underWay.get(request.raw)?.();
    await spoil(fault, reply, { words: WORDS, call });
    return reply
      .status(201)
      .send({ api_id: randomUUID(), message: 'call fired', request_uuid: call.requestId });
  };
}

/** A queued call, a live one, or the record of an ended one. */
function show(parts: PlivoRestParts): Handler {
  return async (request) => {
    const { call: id } = request.params as { call: string };
    const { status } = request.query as { status?: string };
    const call = status === 'queued' ? parts.findRequest(id) : parts.find(id);
    if (status === 'queued' && call?.status === 'queued') return queuedCall(call);
    if (status === 'live' && call && call.end === null) return liveCall(call);
    if (status === undefined && call?.end) return recordOf(call);
    throw new ApiError(404, 'not found');
  };
}

function hangUp(parts: PlivoRestParts): Handler {
  return async (request, reply) => {
    const call = liveOne(request, parts);
    const fault = parts.faults.nextUpdate(call.order['to']!, 'ends');
    refuse(fault, reply, WORDS);
    call.hangUp();
    await spoil(fault, reply, { words: WORDS, call });
    return reply.status(204).send();
  };
}

function handOver(parts: PlivoRestParts): Handler {
  return async (request, reply) => {
    const call = talking(request, parts);
    const fault = parts.faults.nextUpdate(call.order['to']!, 'transfers');
    refuse(fault, reply, WORDS);
    const { legs, aleg_url: url = '', aleg_method: method } = orderOf(request);
    if (legs !== 'aleg' || method !== 'POST' || !URL.canParse(url)) throw new ApiError(400, 'invalid legs');
    void call.follow('action', url);
    await spoil(fault, reply, { words: WORDS, call });
    return reply.status(202).send({ api_id: randomUUID(), message: 'call transferred' });
  };
}

function requireCredentials(request: FastifyRequest, { authId, authToken }: PlivoRestParts): void {
  const expected = `Basic ${Buffer.from(`${authId}:${authToken}`).toString('base64')}`;
  if (request.headers.authorization !== expected) throw new ApiError(401, 'authentication failed');
  const { account } = request.params as { account?: string };
  if (account !== undefined && account !== authId) throw new ApiError(404, 'not found');
}

function liveOne(request: FastifyRequest, { find }: PlivoRestParts): PlivoCall {
  const call = find((request.params as { call: string }).call);
  if (!call || call.end) throw new ApiError(404, 'not found');
  return call;
}

function talking(request: FastifyRequest, parts: PlivoRestParts): PlivoCall {
  const call = liveOne(request, parts);
  if (call.status !== 'in-progress') throw new ApiError(400, 'the call is not in progress');
  return call;
}

function orderOf(request: FastifyRequest): PlivoOrder {
  const said = Object.entries(Object(request.body) as Record<string, unknown>);
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
}
