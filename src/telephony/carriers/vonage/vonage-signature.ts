import { createHash } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { z } from 'zod';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { queryFields } from '#telephony/wire/form-fields.js';
import { isFresh } from '#telephony/signatures/freshness.js';
import { isSameText } from '#telephony/signatures/hmac.js';
import { replayKey } from '#telephony/signatures/replay-key.js';
import { REFUSED, type Verdict } from '#telephony/port/verdict.js';

/** The account whose messages are accepted. */
export interface VonageAccount {
  /** The current signature secrets of the account, which are neither its API secret nor its private key. */
  signatureSecrets: readonly string[];
  /** Null accepts any account that knows the secret. */
  apiKey: string | null;
  /** Null accepts any application. Messages without an application belong to the whole account and are accepted. */
  applicationId: string | null;
}

/** The claims of a signed callback. The token usually has no expiry, so its age is checked. */
const Claims = z.object({
  iss: z.literal('Vonage'),
  iat: z.number().int(),
  exp: z.number().optional(),
  jti: z.string().min(1),
  payload_hash: z.string(),
  api_key: z.string().optional(),
  application_id: z.string().optional(),
});
type Claims = z.infer<typeof Claims>;

/**
 * Verifies a webhook of Vonage by the signed token (JWT) in `Authorization: Bearer`: HS256, issued by Vonage within
 * five minutes, for the operator's account and this payload. The payload of a GET is its query as JSON, in original
 * order. The URL of a POST is not signed. The token's id (`jti`) identifies copies. Source: Vonage, "Signed webhooks".
 */
export async function verifyVonageSignature(
  request: CarrierHttpRequest,
  account: VonageAccount,
): Promise<Verdict> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
  const claims = token === undefined ? null : await claimsOf(token, account.signatureSecrets);
  if (!claims || !isForAccount(claims, account) || !isCurrent(claims, request.receivedAt)) return REFUSED;
  const payload = payloadOf(request);
  if (payload === null || !isSameText(hashOf(payload), claims.payload_hash)) return REFUSED;
  return { genuine: true, replayKey: replayKey(claims.jti) };
}

/** The claims of a token signed with one of the secrets; null for a wrong signature, or without the needed claims. */
async function claimsOf(token: string, secrets: readonly string[]): Promise<Claims | null> {
  for (const secret of secrets) {
    const payload = await signedPayload(token, secret);
    if (payload !== null) return Claims.safeParse(parseJson(payload)).data ?? null;
  }
  return null;
}

/** The payload of a token; null if it is not signed with this secret. */
async function signedPayload(token: string, secret: string): Promise<string | null> {
  // An empty secret is ignored, because any sender could sign with it.
  if (secret === '') return null;
  try {
    const { payload } = await compactVerify(token, Buffer.from(secret), { algorithms: ['HS256'] });
    return Buffer.from(payload).toString();
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if the claims name the operator's account and application. */
function isForAccount(claims: Claims, { apiKey, applicationId }: VonageAccount): boolean {
  const isOurApplication = claims.application_id === undefined || claims.application_id === applicationId;
  return (apiKey === null || claims.api_key === apiKey) && (applicationId === null || isOurApplication);
}

/** True for a token issued within five minutes of the request that has not expired. */
function isCurrent({ iat, exp }: Claims, receivedAtMs: number): boolean {
  return isFresh(iat, receivedAtMs) && (exp === undefined || exp * 1000 > receivedAtMs);
}

/**
 * The signed payload of a request. Null for a query with a repeated name: the signed JSON has only one of the values,
 * and the decoder might use another.
 */
function payloadOf(request: CarrierHttpRequest): string | Buffer | null {
  if (request.method === 'POST') return request.rawBody;
  const fields = queryFields(request.url);
  const query = Object.fromEntries(fields);
  return Object.keys(query).length === fields.length ? JSON.stringify(query) : null;
}

/** The hash as `payload_hash` has it: SHA-256 in hexadecimal. */
function hashOf(payload: string | Buffer): string {
  return createHash('sha256').update(payload).digest('hex');
}
