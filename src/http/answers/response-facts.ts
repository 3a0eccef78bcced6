import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { fieldOf } from '#kernel/input/issue-message.js';
import { NO_NUL } from '#kernel/input/json-scan.js';
import { hostProblem } from '#http/requests/host.js';

/** The version of the interface that this service speaks (Interface: Versioning). */
export const API_VERSION = '1.0.0';

/** What every answer carries, and what every request must carry or may not. */
export const responseFacts = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    const problem = beginAnswer(request, reply);
    if (!problem) refuseNul(request.url);
    done(problem);
  });
});

/** Puts what every answer carries on one, and says why it cannot be a good one: nobody knows for which host it is. */
export function beginAnswer(request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  reply.headers({ 'x-request-id': request.id, 'x-api-version': API_VERSION });
  const problem = hostProblem(request.raw);
  if (problem) reply.header('connection', 'close');
  return problem;
}

/** U+0000 is in no id and no database: a path with it leads nowhere, a query with it is wrong. */
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
