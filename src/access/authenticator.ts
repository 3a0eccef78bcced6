import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '#kernel/errors/errors.js';
import { isApiKey } from '#access/keys/api-key.js';
import type { ApiKeys } from '#access/keys/api-keys.js';
import type { BootstrapKeys } from '#access/keys/bootstrap-keys.js';
import { credentialsOf } from './credentials.js';
import { isJwt, type JwtVerifier } from '#access/tokens/jwt.js';
import type { Principal } from '#access/keys/principal.js';

/** Finds out who is asking. */
export interface Authenticator {
  /**
   * @throws Problem `unauthorized` when no credential is valid; `unavailable` when that could not be found out
   */
  authenticate(headers: IncomingHttpHeaders): Promise<Principal>;
  /** The same for credentials that came another way; one valid one is enough. */
  authenticateAny(credentials: readonly string[]): Promise<Principal>;
}

export interface AuthenticatorParts {
  apiKeys: Pick<ApiKeys, 'holderOf'>;
  bootstrapKeys: Pick<BootstrapKeys, 'holderOf'>;
  /** Null when no identity provider is configured. */
  jwt: JwtVerifier | null;
}

/** More credentials than this in one request is an attack, not a client. */
const MOST_CREDENTIALS = 4;

/** The three kinds of credentials, told apart by their shape: keys of the settings, API keys, tokens (JWT). */
export function createAuthenticator({ apiKeys, bootstrapKeys, jwt }: AuthenticatorParts): Authenticator {
  const holderOf = async (credential: string): Promise<Principal | null> => {
    const bootstrapHolder = bootstrapKeys.holderOf(credential);
    if (bootstrapHolder) return bootstrapHolder;
    if (isApiKey(credential)) return apiKeys.holderOf(credential);
    return jwt && isJwt(credential) ? jwt.verify(credential) : null;
  };

  const authenticateAny = async (credentials: readonly string[]): Promise<Principal> => {
    let trouble: Error | null = null;
    for (const credential of credentials.slice(0, MOST_CREDENTIALS)) {
      try {
        const holder = await holderOf(credential);
        if (holder) return holder;
      } catch (error) {
        // Another credential of the request may still be good.
        trouble = error as Error;
      }
    }
    throw trouble ?? unauthorized();
  };

  return { authenticateAny, authenticate: (headers) => authenticateAny(credentialsOf(headers)) };
}

function unauthorized(): Problem {
  return new Problem(
    'unauthorized',
    "Send a valid token as 'Authorization: Bearer …' or a key as 'x-api-key'.",
  );
}
