import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { Problem, PROBLEMS } from '#kernel/errors/errors.js';
import { createRouteMethods } from '#http/requests/route-methods.js';
import { replayInstead } from '#idempotency/replay-answers.js';
import { toProblemBody } from '#http/problems/problem-body.js';
import { problemOf } from '#http/problems/problem-of.js';

/** `Retry-After` of a 503 whose error names no time. */
const RETRY_AFTER_SECONDS = 1;

/** The most bytes that are still read of a refused body. */
const LARGEST_REST_BYTES = 64 * 1024 * 1024;

/**
 * The server's plugin that renders the errors of hooks and routes in the error shape of the API, and refuses unknown
 * paths and methods. (`BrokenRequests` answers what is not a valid request.)
 */
export const errorRendering = fastifyPlugin(async (app) => {
  const methods = createRouteMethods();
  app.addHook('onRoute', (route) => methods.note(route.url, route.method));
  // A fixed path is not an id: GET /api/scheduled-calls/preview gets 405 rather than the schedule with the id
  // `preview`.
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
    // A route with a wildcard, such as the pages of the console, allows the method also for paths that do not exist.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return sendProblem(new Problem('route_not_found', 'There is nothing at this path.'), request, reply);
    }
    return sendProblem(notAllowed(reply, allowed), request, reply);
  });
});

/** Sets the header `Allow` of a 405, and returns its problem. */
function notAllowed(reply: FastifyReply, allowed: readonly string[]): Problem {
  reply.header('allow', allowed.join(', '));
  return new Problem('method_not_allowed', `This path accepts ${allowed.join(', ')}.`);
}

/**
 * Answers with an error. An error that is not for clients (`problemOf`) is logged with its cause, and shown as
 * `internal_error` without it.
 */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error) ?? new Problem('internal_error', 'The service failed.');
  const { status } = PROBLEMS[problem.code];
  if (status === 500) request.log.error({ err: error, request_id: request.id }, 'request failed');
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="voice"');
  const mayRetryLater = status === 503 || problem.retryAfterSeconds !== undefined;
  if (mayRetryLater) reply.header('retry-after', problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  // The route may have set headers already, for the answer that the error replaces.
  for (const header of ['content-length', 'content-disposition', 'content-range', 'location', 'link', 'etag'])
    reply.removeHeader(header);
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toProblemBody(problem, request.id));
}

/**
 * Reads and drops the rest of a request whose body is refused for its size or type, up to a limit. Does nothing for any
 * other error. If the connection were closed at once, a client that is still sending would never see the answer. A
 * connection whose body was read to the end stays open. Called before the answer is sent.
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
  if (await readRest(raw)) reply.removeHeader('connection');
}

/**
 * Reads the rest of a body. Resolves with true at its end, with false once it exceeds the limit, as a body without
 * Content-Length may.
 */
async function readRest(raw: IncomingMessage): Promise<boolean> {
  let restBytes = 0;
  const limitExceeded = new Promise<false>((resolve) => {
    raw.on('data', (chunk: Buffer) => {
      restBytes += chunk.length;
      if (restBytes > LARGEST_REST_BYTES) resolve(false);
    });
  });
  const toTrue = () => true;
  raw.resume();
  // A client that disconnects (the second `toTrue`) sends no more either, and needs no answer.
  return Promise.race([finished(raw).then(toTrue, toTrue), limitExceeded]);
}
