import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { Problem } from '#kernel/errors/errors.js';
import { principalOf } from './authentication.js';

const WINDOW_MS = 60_000;

/**
 * A credential may ask so often in a minute; where nobody is known, an address may. Credentials that are refused count
 * against the address they come from, so that trying them out is slow.
 */
export const rateLimits = fastifyPlugin<{ perMinute: number | null }>(async (app, { perMinute }) => {
  if (perMinute === null) {
    app.decorate('countRefusedCredentials', async () => {});
    return;
  }
  const tooMany = (waitMs: number) =>
    new Problem('rate_limited', `More than ${perMinute} requests in a minute.`, {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: WINDOW_MS,
    enableDraftSpec: true,
    keyGenerator: whoAsks,
    allowList: (request) => request.ws || request.routeOptions.config.limited === false,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  const count = app.createRateLimit({ allowList: [] });
  app.decorate('countRefusedCredentials', async (request) => {
    const verdict = await count(request);
    if (!verdict.isAllowed && verdict.isExceeded) throw tooMany(verdict.ttl);
  });
});

function whoAsks(request: FastifyRequest): string {
  const principal = principalOf(request);
  return principal ? `${principal.workspace} ${principal.type} ${principal.id}` : request.ip;
}
