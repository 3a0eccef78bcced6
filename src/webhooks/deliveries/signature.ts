import { createHmac, timingSafeEqual } from 'node:crypto';

/** The valid secrets of a webhook: two during the overlap after a rotation. */
export interface SigningSecrets {
  current: string;
  /** The previous secret during the overlap, else null. */
  previous: string | null;
}

/** The signed parts of a request. */
export interface SignedMessage {
  /** The id of the message: the envelope's `webhook_id`, or the id of a lookup or of a tool call. */
  id: string;
  timestampSeconds: number;
  body: string | Buffer;
}

/** The three headers of the specification Standard Webhooks (standardwebhooks.com), and `x-service-signature`. */
export type SignatureHeaders = Record<
  'x-service-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

const STANDARD_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The signature headers of a delivery, a lookup or a request to a tool's server (docs/webhooks.md, "Signatures"), in
 * two forms: `x-service-signature` is the hex HMAC-SHA256 of the raw body, `webhook-signature` follows Standard
 * Webhooks. During an overlap `webhook-signature` has the signatures by both secrets; `x-service-signature`, which has
 * room for one signature only, is made with the previous secret.
 */
export function signatureHeaders(secrets: SigningSecrets, message: SignedMessage): SignatureHeaders {
  const { current, previous } = secrets;
  const validSecrets = previous === null ? [current] : [current, previous];
  return {
    'x-service-signature': bodySignature(previous ?? current, message.body),
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': validSecrets.map((secret) => `v1,${standardSignature(secret, message)}`).join(' '),
  };
}

/** True if a value of `x-service-signature` is valid for a raw body; `callwright webhook listen` checks with it. */
export function verifyBody(secret: string, body: string | Buffer, signature: string): boolean {
  const expected = Buffer.from(bodySignature(secret, body));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The hex HMAC-SHA256 of a body; the key is the whole text of the secret in UTF-8. */
function bodySignature(secret: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** The signature of Standard Webhooks, in base64. */
function standardSignature(secret: string, { id, timestampSeconds, body }: SignedMessage): string {
  return createHmac('sha256', standardKey(secret))
    .update(`${id}.${timestampSeconds}.`)
    .update(body)
    .digest('base64');
}

/** The key of Standard Webhooks: the base64 after `whsec_`. A customer's secret that is not base64 is used as UTF-8. */
function standardKey(secret: string): Buffer {
  const text = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret;
  return BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.from(secret);
}
