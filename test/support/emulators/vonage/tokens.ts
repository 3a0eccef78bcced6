import { createHash, createHmac, randomUUID, verify, type KeyObject } from 'node:crypto';

const CLOCK_TOLERANCE_SECONDS = 30;

/** The account named in a callback's token. */
export interface CallbackAccount {
  apiKey: string;
  applicationId: string;
  signatureSecret: string;
}

/**
 * Signs a callback like Vonage: a token (HS256) with the SHA-256 of the payload, which is the body of a POST, or the
 * query of a GET as compact JSON. Sources: Vonage's "Signed webhooks"; its support article on GET requests.
 */
export function callbackToken(
  account: CallbackAccount,
  payload: string,
  { issuedAtMs, id = randomUUID() }: { issuedAtMs: number; id?: string },
): string {
  const claims = {
    iat: Math.floor(issuedAtMs / 1000),
    jti: id,
    iss: 'Vonage',
    payload_hash: createHash('sha256').update(payload).digest('hex'),
    api_key: account.apiKey,
    application_id: account.applicationId,
  };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', account.signatureSecret).update(signed).digest('base64url')}`;
}

/** Why a request's token is invalid; null if it is valid. Source: Vonage's "JSON Web Tokens". */
export function badApplicationToken(
  authorization: string | undefined,
  expected: { publicKey: KeyObject; applicationId: string; nowMs: number; usedIds: Set<string> },
): string | null {
  const [header, payload, signature] = (/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '').split('.');
  if (!header || !payload || !signature) return 'no token';
  if (decoded(header)['alg'] !== 'RS256') return 'not RS256';
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('RSA-SHA256', signed, expected.publicKey, Buffer.from(signature, 'base64url')))
    return 'not signed by the application';
  const { application_id, iat, exp, jti } = decoded(payload);
  const nowSeconds = expected.nowMs / 1000;
  if (application_id !== expected.applicationId) return 'another application';
  if (typeof iat !== 'number' || iat > nowSeconds + CLOCK_TOLERANCE_SECONDS) return 'issued later';
  if (exp !== undefined && (typeof exp !== 'number' || exp < nowSeconds - CLOCK_TOLERANCE_SECONDS))
    return 'expired';
  if (typeof jti !== 'string' || expected.usedIds.has(jti)) return 'no id of its own';
  expected.usedIds.add(jti);
  return null;
}

function encoded(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
}
