import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';

/** A token is made for one request: as long as that may take, and clocks may differ. */
const LIFETIME_SECONDS = 300;
const TOKEN_ID_BYTES = 16;

/**
 * What proves to Vonage that a request is an application's own: a token of few minutes, signed with the application's
 * private key (RS256). Source: developer.vonage.com, "JSON Web Tokens (JWTs)"
 * @param application `privateKey`: PEM
 * @throws Error for a key that cannot be read
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
