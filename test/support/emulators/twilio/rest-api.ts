import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { formObject, type EmulatorLog } from '#test/support/emulators/emulator-log.js';
import { refuse, spoil, type ApiRefusals, type Faults } from '#test/support/emulators/faults.js';
import type { PendingWork } from '#test/support/emulators/pending-work.js';
import { ApiError, badOrder, badUpdate } from './api-errors.js';
import { listOf } from './call-list.js';
import type { Dialect } from './dialect.js';
import type { EmulatedCall } from './emulated-call.js';
import { methodIn } from './status-callbacks.js';

export interface RestApiParts {
  dialect: Dialect;
  accountSid: string;
  authToken: string;
  faults: Faults;
  log: EmulatorLog;
  pending: PendingWork;
  isValidNumber(number: string): boolean;
  calls(): readonly EmulatedCall[];
  find(sid: string): EmulatedCall | undefined;
  create(order: URLSearchParams): EmulatedCall;
}

const WORDS: ApiRefusals = {
  tooMany: (seconds) => new ApiError(429, 20429, 'Too Many Requests', { 'retry-after': String(seconds) }),
  refused: () => new ApiError(400, 21220, 'Unable to update the record'),
  failed: () => new ApiError(500, 20500, 'Internal Server Error'),
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The REST API of an emulated carrier, not listening yet. */
export function createRestApi(parts: RestApiParts): FastifyInstance {
  const { dialect, log, pending } = parts;
  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  server.addHook('onRequest', async (request, reply) => {
    const end = pending.begin();
    reply.raw.once('close', end);
    requireCredentials(request, parts);
  });
  server.addHook('preHandler', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    const exchange = log.asks(request.method, path, formObject(formOf(request)));
    reply.raw.once('close', () => (exchange.status = reply.raw.headersSent ? reply.statusCode : null));
  });
  server.setErrorHandler((error, _request, reply) => {
    const known = error instanceof ApiError ? error : new ApiError(500, 20500, String(error));
    return reply.status(known.status).headers(known.headers).send(dialect.errorBody(known));
  });
  server.setNotFoundHandler(() => {
    throw new ApiError(404, 20404, 'The requested resource was not found');
  });
  for (const suffix of dialect.isSuffixOptional ? ['', '.json'] : ['.json']) {
    const calls = `${dialect.apiPrefix}/Accounts/:account/Calls`;
    server.post(`${calls}${suffix}`, create(parts));
    server.get(`${calls}${suffix}`, list(parts));
  }
  server.get(`${dialect.apiPrefix}/Accounts/:account/Calls/:sid`, async (request) =>
    callOf(request, parts).record.resource(),
  );
  server.post(`${dialect.apiPrefix}/Accounts/:account/Calls/:sid`, update(parts));
  return server;
}

function create(parts: RestApiParts): Handler {
  return async (request, reply) => {
    const order = parts.dialect.readOrder(request.body);
    const fault = parts.faults.nextCreate(order.get('To') ?? '');
    refuse(fault, reply, WORDS);
    const error = badOrder(order, parts.isValidNumber);
    if (error) throw error;
    const call = parts.create(order);
    const answer = parts.dialect.created(call.record);
    await spoil(fault, reply, { words: WORDS, call });
    return reply.status(parts.dialect.createdStatus).send(answer);
  };
}

function list(parts: RestApiParts): Handler {
  return async (request) => {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '');
    return listOf(
      parts.calls().map(({ record }) => record),
      query,
      request.url.split('?')[0]!,
    );
  };
}

function update(parts: RestApiParts): Handler {
  return async (request, reply) => {
    const call = callOf(request, parts);
    const form = formOf(request);
    const fault = parts.faults.nextUpdate(call.record.to, form.has('Status') ? 'ends' : 'transfers');
    refuse(fault, reply, WORDS);
    const error = badUpdate(form, call.record, parts.dialect.redirections);
    if (error) throw error;
    const [url, twiml] = [form.get('Url'), form.get('Twiml') ?? form.get('Texml')];
    if (form.has('Status')) call.hangUp();
    else if (url) call.redirect({ url, method: methodIn(form, 'Method') });
    else if (twiml) call.redirect({ twiml });
    await spoil(fault, reply, { words: WORDS, call });
    return reply.send(call.record.resource());
  };
}

function requireCredentials(request: FastifyRequest, { dialect, accountSid, authToken }: RestApiParts): void {
  const expected = dialect.authorization(accountSid, authToken);
  if (request.headers.authorization !== expected) throw new ApiError(401, 20003, 'Authenticate');
  const { account } = request.params as { account?: string };
  if (account !== undefined && account !== accountSid)
    throw new ApiError(404, 20404, 'The requested resource was not found');
}

function callOf(request: FastifyRequest, { dialect, find }: RestApiParts): EmulatedCall {
  const { sid } = request.params as { sid: string };
  const isNamedWell = dialect.isSuffixOptional || sid.endsWith('.json');
  const call = isNamedWell ? find(sid.replace(/\.json$/, '')) : undefined;
  if (!call) throw new ApiError(404, 20404, 'The requested resource was not found');
  return call;
}

function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}
