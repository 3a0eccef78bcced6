import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '#kernel/errors/errors.js';
import { isApiKey } from '#access/keys/api-key.js';
import type { ApiKeys } from '#access/keys/api-keys.js';
import type { BootstrapKeys } from '#access/keys/bootstrap-keys.js';
import { credentialsOf } from './credentials.js';
import { isJwt, type JwtVerifier } from '#access/tokens/jwt.js';
import type { Principal } from '#access/keys/principal.js';

/** Finds the principal of a request. */
export interface Authenticator {
  /**
   * @throws Problem `unauthorized` when no credential is valid; `unavailable` when that cannot be checked now
   */
  authenticate(headers: IncomingHttpHeaders): Promise<Principal>;
  /** {@link authenticate} for credentials from elsewhere; one valid one is enough. */
  authenticateAny(credentials: readonly string[]): Promise<Principal>;
}

export interface AuthenticatorParts {
  apiKeys: Pick<ApiKeys, 'holderOf'>;
  bootstrapKeys: Pick<BootstrapKeys, 'holderOf'>;
  /** Null when no identity provider is configured. */
  jwt: JwtVerifier | null;
}

/** Further credentials of a request are ignored: each costs a check. */
const MOST_CREDENTIALS = 4;

/** Checks the three kinds of credentials, which differ in form: keys of the setting `API_KEYS`, API keys, JWTs. */
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
        // Another credential of the request may be valid.
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
