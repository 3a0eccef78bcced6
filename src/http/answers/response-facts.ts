import fastifyPlugin from 'fastify-plugin';
import { fieldProblem, Problem } from '../../kernel/errors.js';
import { fieldOf } from '../../kernel/issue-words.js';
import { NO_NUL } from '../../kernel/json-scan.js';

/** The version of the interface that this service speaks (Interface: Versioning). */
export const API_VERSION = '1.0.0';

/** What every answer carries, and what no request may carry. */
export const responseFacts = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'x-api-version': API_VERSION });
    refuseNul(request.url);
    done();
  });
});

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
