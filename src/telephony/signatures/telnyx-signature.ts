import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { CarrierHttpRequest } from '../carrier-webhooks.js';
import { bodyKindOf, fieldsOf } from '../form-fields.js';
import { isFreshText } from './freshness.js';
import { pathReplayKey, replayKey } from './replay-key.js';
import { REFUSED, type Verdict } from './verdict.js';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** What of an event tells it from every other; a retry of it has another time and signature, and the same id. */
const EventIdentity = z.object({ data: z.object({ id: z.string().min(1) }) });

/**
 * Reads the public key of an account as Telnyx's portal shows it: 32 bytes as base64.
 * @throws TypeError when it is none
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
 * Checks `telnyx-signature-ed25519` and `telnyx-timestamp`: Ed25519 over the time and the raw body, within five minutes.
 * Neither the address nor the method is signed, so a GET or an empty body, whose signature would cover nothing but the
 * time and could be put to any address, is refused: Telnyx has to be told to POST. An event is known by its id
 * wherever it is sent; a form (TeXML) by path, time and body.
 * Source: Telnyx, "Webhook signing".
 * @param publicKeys see {@link readTelnyxPublicKey}
 */
export function verifyTelnyxSignature(
  request: CarrierHttpRequest,
  publicKeys: readonly KeyObject[],
): Verdict {
  const timestamp = request.headers['telnyx-timestamp'];
  const signature = Buffer.from(request.headers['telnyx-signature-ed25519'] ?? '', 'base64');
  if (timestamp === undefined || signature.length !== SIGNATURE_BYTES) return REFUSED;
  if (bodyKindOf(request) === 'none' || !isFreshText(timestamp, request.receivedAt)) return REFUSED;
  const message = Buffer.concat([Buffer.from(`${timestamp}|`), request.rawBody]);
  const genuine = publicKeys.some((publicKey) => verify(null, message, publicKey, signature));
  return genuine ? { genuine, replayable: replayableOf(request, message) } : REFUSED;
}

function replayableOf(request: CarrierHttpRequest, message: Buffer): string {
  const event = EventIdentity.safeParse(fieldsOf(request).json());
  return event.success ? replayKey(event.data.data.id) : pathReplayKey(request.url, message);
}
