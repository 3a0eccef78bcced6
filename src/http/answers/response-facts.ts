import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { fieldOf } from '#kernel/input/issue-message.js';
import { NO_NUL } from '#kernel/input/json-scan.js';
import { hostProblem } from '#http/requests/host.js';

/** The version of the API, sent in `X-Api-Version`. */
export const API_VERSION = '1.0.0';

/**
 * The server's plugin that begins the answer to each request: it sets the headers with the request id and the API
 * version, and refuses requests without a valid `Host` or with the character U+0000 in the URL.
 */
export const responseFacts = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    const problem = beginAnswer(request, reply);
    if (!problem) refuseNul(request.url);
    done(problem);
  });
});

/**
 * Sets the headers that every answer has; returns the problem of a request without a valid `Host`, if any. The server
 * also calls it for requests that Fastify refuses before its hooks run.
 */
export function beginAnswer(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  reply.headers({ 'x-request-id': request.id, 'x-api-version': API_VERSION });
  const problem = hostProblem(request.raw);
  if (problem) reply.header('connection', 'close');
  return problem;
}

/**
 * Refuses a URL with U+0000 (`%00`), which no id and no value in the database contains. In the path it means that
 * nothing is there; in the query the error names the parameter, unless its name contains the character.
 * @throws Problem `route_not_found` or `validation_error`
 */
function refuseNul(url: string): void {
  const at = url.indexOf('%00');
  if (at === -1) return;
  const queryAt = url.indexOf('?');
  if (queryAt === -1 || at < queryAt) throw new Problem('route_not_found', 'There is nothing at this path.');
  const pair = url
    .slice(queryAt + 1)
    .split('&')
    .find((text) => text.includes('%00'));
  const [name = '\0'] = new URLSearchParams(pair).keys();
  const field = fieldOf(name.includes('\0') ? [] : [name], 'query');
  throw fieldProblem('validation_error', field, NO_NUL, 'invalid_character');
}
