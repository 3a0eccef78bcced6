import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';

/**
 * The public keys of the identity provider, for `createJwtVerifier`. The library `jose` asks for the key of each token
 * that it verifies.
 */
export interface KeySet {
  /**
   * Returns the key that signed a token, in the form that `jose` calls.
   * @throws Problem `unavailable` when the provider cannot be reached and no cached key matches
   */
  keyFor: JWTVerifyGetKey;
}

/** Fetches a key set (JWKS); rejects on failure. */
export type FetchKeySet = (url: string) => Promise<unknown>;

/** How long a fetched key set is used before it is fetched again. */
const FRESH_MS = 10 * 60_000;
/**
 * The shortest time between two fetches: an unknown key id triggers a fetch, and any client can send tokens with one.
 */
const COOL_DOWN_MS = 10_000;
const FETCH_TIMEOUT_MS = 5_000;

/**
 * Creates the key set of a provider. It is fetched when it is first needed, when it is old, and when a token names an
 * unknown key. While the provider is down, the cached keys stay valid.
 * @param url the address of the JWKS
 */
export function createKeySet(
  url: string,
  parts: { clock: Clock; log: Log; fetchKeySet?: FetchKeySet },
): KeySet {
  const { clock, log, fetchKeySet = fetchJson } = parts;
  let keys: JWTVerifyGetKey | null = null;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let attemptedAtMs = Number.NEGATIVE_INFINITY;
  let isDown = false;
  let fetching: Promise<void> | null = null;

  const fetchNow = async () => {
    attemptedAtMs = clock.monotonicMs();
    try {
      keys = createLocalJWKSet((await fetchKeySet(url)) as JSONWebKeySet);
      fetchedAtMs = clock.monotonicMs();
      isDown = false;
    } catch (error) {
      isDown = true;
      log.warn({ err: error }, 'keys of the identity provider could not be fetched');
    }
  };
  /** Fetches the keys, unless a fetch has begun within the last ten seconds; waits for a running fetch. */
  const refresh = async () => {
    if (fetching === null && clock.monotonicMs() - attemptedAtMs < COOL_DOWN_MS) return;
    fetching ??= fetchNow().finally(() => (fetching = null));
    await fetching;
  };

  return {
    async keyFor(header, token) {
      if (clock.monotonicMs() - fetchedAtMs >= FRESH_MS) {
        const refreshed = refresh();
        // After a failed fetch the provider may hang: tokens with cached keys do not wait for it.
        if (keys === null || !isDown) await refreshed;
      }
      try {
        if (keys) return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      // The token names an unknown key: the provider may have a new one.
      await refresh();
      if (keys && !isDown) return keys(header, token);
      throw new Problem('unavailable', 'The identity provider cannot be reached; try again.', {
        retryAfterSeconds: COOL_DOWN_MS / 1_000,
      });
    },
  };
}

/** Fetches JSON from the identity provider. Redirects are refused. */
async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the identity provider answered ${response.status}`);
  return response.json();
}
