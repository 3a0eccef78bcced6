import { createHash } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { z } from 'zod';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { queryFields } from '#telephony/wire/form-fields.js';
import { isFresh } from '#telephony/signatures/freshness.js';
import { isSameText } from '#telephony/signatures/hmac.js';
import { replayKey } from '#telephony/signatures/replay-key.js';
import { REFUSED, type Verdict } from '#telephony/port/verdict.js';

/** Whose messages are ours. */
export interface VonageAccount {
  /** Every signature secret of the account that is good now; these are neither API secrets nor private keys. */
  signatureSecrets: readonly string[];
  /** Null: that of any account which knows the secret. */
  apiKey: string | null;
  /** Null: any application. Messages that name none are of the whole account, and are taken. */
  applicationId: string | null;
}

/** The claims of a signed callback. The token itself has no end: its age is what ends it. */
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
 * Checks the token in `Authorization: Bearer`: HS256, issued by Vonage within five minutes, to our account, for this
 * very payload. The payload of a GET is its query, written as JSON in the order in which it came. The address of a
 * POST is not signed. The token's id (`jti`) tells copies.
 * Source: Vonage, "Signed webhooks".
 */
export async function verifyVonageSignature(
  request: CarrierHttpRequest,
  account: VonageAccount,
): Promise<Verdict> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
  const claims = token === undefined ? null : await claimsOf(token, account.signatureSecrets);
  if (!claims || !isOurs(claims, account) || !isNow(claims, request.receivedAt)) return REFUSED;
  const payload = payloadOf(request);
  if (payload === null || !isSameText(hashOf(payload), claims.payload_hash)) return REFUSED;
  return { genuine: true, replayable: replayKey(claims.jti) };
}

/** The claims of a token that is signed with one of the secrets; null when it is not, or claims something else. */
async function claimsOf(token: string, secrets: readonly string[]): Promise<Claims | null> {
  for (const secret of secrets) {
    const payload = await signedPayload(token, secret);
    if (payload !== null) return Claims.safeParse(parseJson(payload)).data ?? null;
  }
  return null;
}

async function signedPayload(token: string, secret: string): Promise<string | null> {
  // An empty secret is none: anybody could sign with it.
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

function isOurs(claims: Claims, { apiKey, applicationId }: VonageAccount): boolean {
  const isOurApplication = claims.application_id === undefined || claims.application_id === applicationId;
  return (apiKey === null || claims.api_key === apiKey) && (applicationId === null || isOurApplication);
}

function isNow({ iat, exp }: Claims, receivedAtMs: number): boolean {
  return isFresh(iat, receivedAtMs) && (exp === undefined || exp * 1000 > receivedAtMs);
}

/** Null for a query that says a name twice: its JSON has one value of them, and a reader may take the other. */
function payloadOf(request: CarrierHttpRequest): string | Buffer | null {
  if (request.method === 'POST') return request.rawBody;
  const fields = queryFields(request.url);
  const query = Object.fromEntries(fields);
  return Object.keys(query).length === fields.length ? JSON.stringify(query) : null;
}

function hashOf(payload: string | Buffer): string {
  return createHash('sha256').update(payload).digest('hex');
}
