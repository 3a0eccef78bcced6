import rateLimit from '@fastify/rate-limit';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { Problem } from '#kernel/errors/errors.js';
import { principalOf } from './authentication.js';

/** The window of both limits. */
const WINDOW_MS = 60_000;
/** The most guessing addresses, and the most valid credentials, that are kept in memory. */
const CACHE_SIZE = 10_000;

/**
 * The server's plugin for two rate limits of `perMinute` each (null for none). The first limits the requests of each
 * principal, or of each address on `public` and `own` routes. The second limits guessing: it counts the refused
 * credentials of each address. After too many, all credentials from that address are refused unchecked for the rest of
 * the minute, so even the right guess fails. Credentials that were valid before at this address still work, so other
 * clients behind it are not affected.
 */
export const rateLimits = fastifyPlugin<{ perMinute: number | null }>(async (app, { perMinute }) => {
  if (perMinute === null) {
    app.decorate('countRefusedCredentials', async () => {});
    app.decorate('refuseGuessingAddress', () => {});
    app.decorate('noteValidCredentials', async () => {});
    return;
  }
  const tooMany = (waitMs: number) =>
    new Problem('rate_limited', `More than ${perMinute} requests in a minute.`, {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  await app.register(rateLimit, {
    max: perMinute,
    timeWindow: WINDOW_MS,
    // The headers `RateLimit-Limit`, `-Remaining` and `-Reset`.
    enableDraftSpec: true,
    keyGenerator: clientKey,
    // Not limited: sockets, which have limits of their own, and routes that say so.
    allowList: (request) => request.ws || request.routeOptions.config.limited === false,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  // A counter of its own, with no exceptions: `isAllowed` (an exception) is never true.
  const countRefusal = app.createRateLimit({ allowList: [] });
  app.decorate('countRefusedCredentials', async (request) => {
    const verdict = await countRefusal(request);
    if (verdict.isAllowed || !verdict.isExceeded) return;
    guessingAddresses.set(request.ip, true, { ttl: Math.max(1, verdict.ttl) });
    throw tooMany(verdict.ttl);
  });
  /** Addresses with too many refused credentials, until the window ends. */
  const guessingAddresses = new LRUCache<string, true>({ max: CACHE_SIZE, ttl: WINDOW_MS });
  /** Fingerprints of credentials that were valid at an address. */
  const validCredentials = new LRUCache<string, true>({ max: CACHE_SIZE });
  app.decorate('refuseGuessingAddress', (request, credentials) => {
    const isGuessing = guessingAddresses.has(request.ip);
    if (!isGuessing || validCredentials.has(fingerprint(request, credentials))) return;
    throw tooMany(guessingAddresses.getRemainingTTL(request.ip));
  });
  app.decorate('noteValidCredentials', async (request, credentials) => {
    const key = fingerprint(request, credentials);
    // One valid credential admits a request, and another in the same request may be a guess: a new combination counts.
    if (credentials.length > 1 && !validCredentials.has(key)) await app.countRefusedCredentials(request);
    validCredentials.set(key, true);
  });
});

/** A hash of address and credentials; credentials themselves are not kept. */
function fingerprint({ ip }: FastifyRequest, credentials: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([ip, credentials]))
    .digest('base64');
}

/** The key of a client in both counts: its principal or, before and without authentication, its address. */
function clientKey(request: FastifyRequest): string {
  const principal = principalOf(request);
  return principal ? `${principal.workspace} ${principal.type} ${principal.id}` : request.ip;
}
