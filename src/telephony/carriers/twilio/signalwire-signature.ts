import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { bodyKindOf } from '#telephony/wire/form-fields.js';
import { matchesHmac } from '#telephony/signatures/hmac.js';
import { isTwilioSigned, twilioReplayKey } from './twilio-signature.js';
import { REFUSED, type Verdict } from '#telephony/port/verdict.js';
import { withAndWithoutPort } from '#telephony/signatures/url-ports.js';

/**
 * Verifies the signature of a callback of SignalWire, `X-SignalWire-Signature` (or `X-Twilio-Signature`, which
 * customers who migrated from Twilio get). Forms are signed like Twilio's, JSON by the hexadecimal HMAC-SHA1 of the URL
 * and the raw body. The scheme has neither a time nor a nonce, so copies must be harmless, as with {@link
 * verifyTwilioSignature}.
 * Source: SignalWire, "Webhook security".
 * @param signingKeys signing keys of the project (`PSK_…`), which are not its API tokens
 */
export function verifySignalwireSignature(
  request: CarrierHttpRequest,
  signingKeys: readonly string[],
): Verdict {
  const signature = request.headers['x-signalwire-signature'] ?? request.headers['x-twilio-signature'];
  if (signature === undefined) return REFUSED;
  const genuine =
    isTwilioSigned(request, signature, signingKeys, 'as-sent') ||
    isJsonSigned(request, signature, signingKeys);
  return genuine ? { genuine, replayKey: twilioReplayKey(request, signature) } : REFUSED;
}

/** True for JSON whose signature is valid; the URL may have been signed with or without its port. */
function isJsonSigned(request: CarrierHttpRequest, signature: string, secrets: readonly string[]): boolean {
  if (bodyKindOf(request) !== 'json') return false;
  const messages = withAndWithoutPort(request.url).map((url) =>
    Buffer.concat([Buffer.from(url), request.rawBody]),
  );
  return matchesHmac({ algorithm: 'sha1', encoding: 'hex', secrets, messages, signatures: [signature] });
}
