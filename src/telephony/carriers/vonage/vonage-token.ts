import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';

/** The lifetime of a token: it covers the duration of its one request and a difference of clocks. */
const LIFETIME_SECONDS = 300;
const TOKEN_ID_BYTES = 16;

/**
 * Returns the function by which `VonageApi` makes the token (JWT) for a request to Vonage's API: short-lived, and
 * signed with the private key of the operator's application (RS256). Source: developer.vonage.com, "JSON Web Tokens
 * (JWTs)"
 * @param application `privateKey`: PEM
 * @throws Error for an invalid key
 */
export function createVonageTokens(
  application: { id: string; privateKey: string },
  { clock, ids }: { clock: Clock; ids: Ids },
): () => Promise<string> {
  const key = createPrivateKey(application.privateKey);
  return () => {
    const issuedAt = Math.floor(clock.wallMs() / 1_000);
    return new SignJWT({ application_id: application.id })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .setJti(ids.secret(TOKEN_ID_BYTES).toString('hex'))
      .sign(key);
  };
}
