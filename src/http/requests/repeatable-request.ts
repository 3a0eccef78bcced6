import type { FastifyRequest } from 'fastify';
import type { RepeatableRequest } from '#idempotency/replay-answers.js';
import { pathOf } from './route-methods.js';

/**
 * What the idempotency plugin must know of a request with an `Idempotency-Key`: the principal and route within which
 * the key is unique, the path, and where the created resource is. Null if the route is not `idempotent`.
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
