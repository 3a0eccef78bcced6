import type { FastifyRequest } from 'fastify';
import type { RepeatableRequest } from '#idempotency/replay-answers.js';
import { pathOf } from './route-methods.js';

/**
 * The key under which the first answer to a request is kept (`Idempotency-Key`): principal, route and path. Null if the
 * route is not `idempotent`. The server gives this function to the idempotency plugin.
 */
export function describeRepeatable(request: FastifyRequest): RepeatableRequest | null {
  const { config, url: route } = request.routeOptions;
  if (!config.idempotent) return null;
  const { principal, method } = request;
  const path = pathOf(request.url);
  return {
    scope: [principal.workspace, principal.type, principal.id, method, route].join(' '),
    path,
    resourcePath: config.madeUnder ?? path,
  };
}
