import { createHmac, timingSafeEqual } from 'node:crypto';

/** The secrets in force: during the overlap after a rotation there are two. */
export interface SigningSecrets {
  current: string;
  /** The one before, while receivers may still check with it. */
  previous: string | null;
}

/** What is signed. */
export interface SignedMessage {
  /** The envelope's `webhook_id`. */
  id: string;
  timestampSeconds: number;
  body: string | Buffer;
}

/** The three headers of Standard Webhooks and the interface's own. */
export type SignatureHeaders = Record<
  'x-service-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

const STANDARD_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * Signs a message twice over: hex HMAC-SHA256 of the raw body (Interface: Authentication), and as Standard Webhooks do.
 * During an overlap the first stays with the old secret, which has no room for two, and the second carries both.
 */
export function signatureHeaders(secrets: SigningSecrets, message: SignedMessage): SignatureHeaders {
  const { current, previous } = secrets;
  const inForce = previous === null ? [current] : [current, previous];
  return {
    'x-service-signature': bodySignature(previous ?? current, message.body),
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': inForce.map((secret) => `v1,${standardSignature(secret, message)}`).join(' '),
  };
}

/** Whether a receiver that knows `secret` would accept the raw body under the interface's own header. */
export function verifyBody(secret: string, body: string | Buffer, signature: string): boolean {
  const expected = Buffer.from(bodySignature(secret, body));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The key is the secret as it is shown, as UTF-8. */
function bodySignature(secret: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function standardSignature(secret: string, { id, timestampSeconds, body }: SignedMessage): string {
  return createHmac('sha256', standardKey(secret))
    .update(`${id}.${timestampSeconds}.`)
    .update(body)
    .digest('base64');
}

/** The bytes after `whsec_`; a secret of the customer's own that is no base64 is taken as it is. */
function standardKey(secret: string): Buffer {
  const text = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret;
  return BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.from(secret);
}
