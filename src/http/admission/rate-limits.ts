import rateLimit from '@fastify/rate-limit';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { Problem } from '#kernel/errors/errors.js';
import { principalOf } from './authentication.js';

const WINDOW_MS = 60_000;
/** Most addresses, and most valid credentials, that are kept in memory. */
const CACHE_SIZE = 10_000;

/**
 * The server's plugin for rate limits (`perMinute`; null for none). It limits requests per minute and credential, or
 * per address without one. Refused credentials count against their address. After too many, credentials from that
 * address are refused unchecked for the rest of the minute, unless they were valid before: guessing is slow even with
 * the right credential, and other clients at the address are not affected.
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
    keyGenerator: clientKey,
    allowList: (request) => request.ws || request.routeOptions.config.limited === false,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  const count = app.createRateLimit({ allowList: [] });
  app.decorate('countRefusedCredentials', async (request) => {
    const verdict = await count(request);
    if (verdict.isAllowed || !verdict.isExceeded) return;
    guessingAddresses.set(request.ip, true, { ttl: Math.max(1, verdict.ttl) });
    throw tooMany(verdict.ttl);
  });
  /** Addresses with too many refused credentials, until the window ends. */
  const guessingAddresses = new LRUCache<string, true>({ max: CACHE_SIZE, ttl: WINDOW_MS });
  /** Fingerprints of credentials that were valid. */
  const validCredentials = new LRUCache<string, true>({ max: CACHE_SIZE });
  app.decorate('refuseGuess', (request, credentials) => {
    const isGuessing = guessingAddresses.has(request.ip);
    if (!isGuessing || validCredentials.has(fingerprint(request, credentials))) return;
    throw tooMany(guessingAddresses.getRemainingTTL(request.ip));
  });
  app.decorate('acceptCredentials', async (request, credentials) => {
    const key = fingerprint(request, credentials);
    // Otherwise, credentials could be guessed in the same request as a valid one.
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

/** The key of a client in the count of requests: its credential or, without one, its address. */
function clientKey(request: FastifyRequest): string {
  const principal = principalOf(request);
  return principal ? `${principal.workspace} ${principal.type} ${principal.id}` : request.ip;
}
