import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '#kernel/errors/errors.js';
import { isApiKey } from '#access/keys/api-key.js';
import type { ApiKeys } from '#access/keys/api-keys.js';
import type { BootstrapKeys } from '#access/keys/bootstrap-keys.js';
import { credentialsOf } from './credentials.js';
import { isJwt, type JwtVerifier } from '#access/tokens/jwt.js';
import type { Principal } from '#access/keys/principal.js';

/**
 * Identifies the sender of an HTTP request or a WebSocket by a key or a JWT. Console sessions, stream tokens, signed
 * links and the signatures of carriers are checked elsewhere.
 */
export interface Authenticator {
  /**
   * The principal of a request, by the credentials in its headers; one valid credential is enough.
   * @throws Problem `unauthorized` when no credential is valid; `unavailable` when that cannot be checked now
   */
  authenticate(headers: IncomingHttpHeaders): Promise<Principal>;
  /** As `authenticate`, for credentials from elsewhere: a socket may have them in its URL. */
  authenticateAny(credentials: readonly string[]): Promise<Principal>;
}

/** The dependencies of the authenticator. */
export interface AuthenticatorParts {
  apiKeys: Pick<ApiKeys, 'holderOf'>;
  bootstrapKeys: Pick<BootstrapKeys, 'holderOf'>;
  /** Null when no identity provider is configured. */
  jwt: JwtVerifier | null;
}

/** The most credentials of one request that are checked, because each check has a cost. Further ones are ignored. */
const MAX_CREDENTIALS = 4;

/**
 * Creates the authenticator for three kinds of credentials: keys of the setting `API_KEYS`, API keys and JWTs. A key of
 * `API_KEYS` may be any text, so it is looked up first; the form of any other credential shows its kind.
 */
export function createAuthenticator({ apiKeys, bootstrapKeys, jwt }: AuthenticatorParts): Authenticator {
  const holderOf = async (credential: string): Promise<Principal | null> => {
    const bootstrapHolder = bootstrapKeys.holderOf(credential);
    if (bootstrapHolder) return bootstrapHolder;
    if (isApiKey(credential)) return apiKeys.holderOf(credential);
    return jwt && isJwt(credential) ? jwt.verify(credential) : null;
  };

  const authenticateAny = async (credentials: readonly string[]): Promise<Principal> => {
    let failure: Error | null = null;
    for (const credential of credentials.slice(0, MAX_CREDENTIALS)) {
      try {
        const holder = await holderOf(credential);
        if (holder) return holder;
      } catch (error) {
        // The check failed, such as while the database is down. Another credential of the request may be valid.
        failure = error as Error;
      }
    }
    throw failure ?? unauthorizedProblem();
  };

  return { authenticateAny, authenticate: (headers) => authenticateAny(credentialsOf(headers)) };
}

function unauthorizedProblem(): Problem {
  return new Problem(
    'unauthorized',
    "Send a valid token as 'Authorization: Bearer …' or a key as 'x-api-key'.",
  );
}
