import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { Problem } from '../kernel/errors.js';
import { principalOf } from './authentication.js';

const WINDOW_MS = 60_000;

/** A credential may ask so often in a minute; where nobody is known, an address may. */
export const rateLimits = fastifyPlugin<{ perMinute: number | null }>(async (app, { perMinute }) => {
  if (perMinute === null) return;
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: WINDOW_MS,
    enableDraftSpec: true,
    keyGenerator: whoAsks,
    allowList: (request) => request.ws || request.routeOptions.config.limited === false,
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem('rate_limited', `At most ${perMinute} requests a minute are answered.`, {
        retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1_000)),
      }),
  });
});

function whoAsks(request: FastifyRequest): string {
  const principal = principalOf(request);
  return principal ? `${principal.workspace} ${principal.type} ${principal.id}` : request.ip;
}
