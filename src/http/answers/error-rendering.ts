import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { Problem, PROBLEMS } from '#kernel/errors/errors.js';
import { createRouteMethods } from '#http/requests/route-methods.js';
import { replayInstead } from '#idempotency/replay-answers.js';
import { toProblemBody } from '#http/problems/problem-body.js';
import { problemOf } from '#http/problems/problem-of.js';

/** `Retry-After` of an unavailable service if the error names no time. */
const RETRY_AFTER_SECONDS = 1;

/** Limit of the rest of a refused body that is still read. */
const LARGEST_REST_BYTES = 64 * 1024 * 1024;

/** The server's plugin that renders every error in the error shape of the API, also for unknown paths and methods. */
export const errorRendering = fastifyPlugin(async (app) => {
  const methods = createRouteMethods();
  app.addHook('onRoute', (route) => methods.note(route.url, route.method));
  // A fixed path is no id: GET /api/scheduled-calls/preview gets 405, and no schedule `preview` is looked up.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const isRefused = request.method !== 'OPTIONS' && methods.refuses(request.method, request.url);
    done(isRefused ? notAllowed(reply, methods.allowedAt(request.url)) : null, payload);
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await drainRefusedBody(error, request, reply);
    try {
      // A repeated request (`Idempotency-Key`) may get the first answer in place of this error.
      return (await replayInstead(error, request)) ? reply : sendProblem(error, request, reply);
    } catch (replayError) {
      return sendProblem(replayError, request, reply);
    }
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.allowedAt(request.url);
    // A wildcard path may not exist although its method is allowed.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return sendProblem(new Problem('route_not_found', 'There is nothing at this path.'), request, reply);
    }
    return sendProblem(notAllowed(reply, allowed), request, reply);
  });
});

function notAllowed(reply: FastifyReply, allowed: readonly string[]): Problem {
  reply.header('allow', allowed.join(', '));
  return new Problem('method_not_allowed', `This path accepts ${allowed.join(', ')}.`);
}

/** Answers with an error. Internal errors are logged with their cause and shown without it. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error) ?? new Problem('internal_error', 'The service failed.');
  const { status } = PROBLEMS[problem.code];
  if (status === 500) request.log.error({ err: error, request_id: request.id }, 'request failed');
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="voice"');
  const isWorthWaiting = status === 503 || problem.retryAfterSeconds !== undefined;
  if (isWorthWaiting) reply.header('retry-after', problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  // Headers of the answer that the error replaces.
  for (const header of ['content-length', 'content-disposition', 'content-range', 'location', 'link', 'etag'])
    reply.removeHeader(header);
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toProblemBody(problem, request.id));
}

/**
 * Reads the rest of a request whose body is refused for its size or type, up to a limit. If the connection were
 * closed at once, a client that is still sending would never see the answer.
 */
export async function drainRefusedBody(
  refusal: FastifyError,
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const status = PROBLEMS[problemOf(refusal)?.code ?? 'internal_error'].status;
  const isRefusedUnread = (status === 413 || status === 415) && !raw.complete && !raw.destroyed;
  const { 'content-length': size = '0' } = raw.headers;
  if (!isRefusedUnread || !(Number(size) <= LARGEST_REST_BYTES)) return;
  if (await hasReadRest(raw)) reply.removeHeader('connection');
}

/** Reads the rest of a body. Resolves false if it exceeds the limit, as a body without Content-Length may. */
async function hasReadRest(raw: IncomingMessage): Promise<boolean> {
  let restBytes = 0;
  const limitExceeded = new Promise<false>((resolve) => {
    raw.on('data', (chunk: Buffer) => {
      restBytes += chunk.length;
      if (restBytes > LARGEST_REST_BYTES) resolve(false);
    });
  });
  const isRead = () => true;
  raw.resume();
  // A client that disconnects has sent its rest, too: it needs no answer.
  return Promise.race([finished(raw).then(isRead, isRead), limitExceeded]);
}
