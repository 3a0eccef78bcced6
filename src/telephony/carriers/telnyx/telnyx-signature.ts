import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { bodyKindOf, fieldsOf } from '#telephony/wire/form-fields.js';
import { isFreshText } from '#telephony/signatures/freshness.js';
import { pathReplayKey, replayKey } from '#telephony/signatures/replay-key.js';
import { REFUSED, type Verdict } from '#telephony/port/verdict.js';

/** The lengths of keys and signatures of Ed25519. */
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The part of an event's body that holds its id. A retry has the same id, but another time and signature. */
const EventIdentity = z.object({ data: z.object({ id: z.string().min(1) }) });

/**
 * Parses the public key of an account as shown in Telnyx's portal: 32 bytes in base64.
 * @throws TypeError for any other text
 */
export function readTelnyxPublicKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES) throw new TypeError('a public key of Telnyx is 32 bytes as base64');
  return createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
  });
}

/**
 * Verifies the signature of an event or TeXML callback, `telnyx-signature-ed25519` with `telnyx-timestamp`: Ed25519
 * over the time and the raw body, within five minutes. Neither URL nor method is signed. So a GET and an empty body
 * are refused: their signature covers the time only, and fits any URL. ({@link verifyTelnyxGet} is the exception.) The
 * replay key of an event is its id, whatever its URL; the replay key of a form (TeXML) consists of path, time and body.
 * Source: Telnyx, "Webhook signing".
 * @param publicKeys see {@link readTelnyxPublicKey}
 */
export function verifyTelnyxSignature(
  request: CarrierHttpRequest,
  publicKeys: readonly KeyObject[],
): Verdict {
  const message = bodyKindOf(request) === 'none' ? null : signedMessage(request, publicKeys);
  return message ? { genuine: true, replayKey: replayKeyOf(request, message) } : REFUSED;
}

/**
 * Verifies the GET by which a TeXML application announces inbound calls by default. It has no body, and its query is
 * unsigned: it is trusted because only Telnyx and this service have seen a signature of the last five minutes. That is
 * sufficient to announce a call, but not to change one.
 */
export function verifyTelnyxGet(request: CarrierHttpRequest, publicKeys: readonly KeyObject[]): Verdict {
  const isGetWithoutBody = request.method === 'GET' && request.rawBody.length === 0;
  const message = isGetWithoutBody ? signedMessage(request, publicKeys) : null;
  return message ? { genuine: true, replayKey: replayKey(request.url, message) } : REFUSED;
}

/** The signed message (time and body); null if the signature is missing, wrong or too old. */
function signedMessage(request: CarrierHttpRequest, publicKeys: readonly KeyObject[]): Buffer | null {
  const timestamp = request.headers['telnyx-timestamp'];
  const signature = Buffer.from(request.headers['telnyx-signature-ed25519'] ?? '', 'base64');
  if (timestamp === undefined || signature.length !== SIGNATURE_BYTES) return null;
  if (!isFreshText(timestamp, request.receivedAt)) return null;
  const message = Buffer.concat([Buffer.from(`${timestamp}|`), request.rawBody]);
  return publicKeys.some((publicKey) => verify(null, message, publicKey, signature)) ? message : null;
}

/** The replay key: the event's id, else a hash of path, time and body. */
function replayKeyOf(request: CarrierHttpRequest, message: Buffer): string {
  const event = EventIdentity.safeParse(fieldsOf(request).json());
  return event.success ? replayKey(event.data.data.id) : pathReplayKey(request.url, message);
}
