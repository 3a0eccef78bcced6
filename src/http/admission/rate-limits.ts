import rateLimit from '@fastify/rate-limit';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { Problem } from '#kernel/errors/errors.js';
import { principalOf } from './authentication.js';

const WINDOW_MS = 60_000;
/** Cache size: addresses, and valid credentials. */
const REMEMBERED = 10_000;

/**
 * Limits requests per minute and credential, or per address without one. Refused credentials count against their
 * address. After too many, credentials from that address are refused unchecked for the rest of the minute, unless
 * they were valid before: guessing is slow even with the right credential, and other clients at the address are not
 * affected.
 */
export const rateLimits = fastifyPlugin<{ perMinute: number | null }>(async (app, { perMinute }) => {
  if (perMinute === null) {
    app.decorate('countRefusedCredentials', async () => {});
    app.decorate('refuseGuess', () => {});
    app.decorate('acceptCredentials', async () => {});
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
    if (verdict.isAllowed || !verdict.isExceeded) return;
    guessing.set(request.ip, true, { ttl: Math.max(1, verdict.ttl) });
    throw tooMany(verdict.ttl);
  });
  /** Addresses with too many refused credentials, until the window ends. */
  const guessing = new LRUCache<string, true>({ max: REMEMBERED, ttl: WINDOW_MS });
  const good = new LRUCache<string, true>({ max: REMEMBERED });
  app.decorate('refuseGuess', (request, credentials) => {
    if (!guessing.has(request.ip) || good.has(fingerprint(request, credentials))) return;
    throw tooMany(guessing.getRemainingTTL(request.ip));
  });
  app.decorate('acceptCredentials', async (request, credentials) => {
    const shown = fingerprint(request, credentials);
    // Otherwise, credentials could be guessed in the same request as a valid one.
    if (credentials.length > 1 && !good.has(shown)) await app.countRefusedCredentials(request);
    good.set(shown, true);
  });
});

/** A hash of address and credentials; credentials themselves are not kept. */
function fingerprint({ ip }: FastifyRequest, credentials: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([ip, credentials]))
    .digest('base64');
}

function whoAsks(request: FastifyRequest): string {
  const principal = principalOf(request);
  return principal ? `${principal.workspace} ${principal.type} ${principal.id}` : request.ip;
}
