import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { bodyKindOf } from '#telephony/wire/form-fields.js';
import { isFreshText } from '#telephony/signatures/freshness.js';
import { matchesHmac } from '#telephony/signatures/hmac.js';
import { pathReplayKey } from '#telephony/signatures/replay-key.js';
import { REFUSED, type Verdict } from '#telephony/port/verdict.js';

/**
 * Verifies the signature of a webhook of jambonz, `Jambonz-Signature: t=…,v1=…[,v1=…]`: HMAC-SHA256 of the time and the
 * raw body, within five minutes. The URL is not signed, so a GET or an empty body, whose signature would only cover the
 * time, is refused: jambonz must be configured to POST. The replay key consists of path, time and body, because jambonz
 * may send one body to two URLs within a second.
 * Source: jambonz, "Securing webhooks".
 * @param secrets webhook secrets of the account: two while one replaces the other
 */
export function verifyJambonzSignature(request: CarrierHttpRequest, secrets: readonly string[]): Verdict {
  const { times, signatures } = readHeader(request.headers['jambonz-signature'] ?? '');
  const [time] = times;
  if (time === undefined || times.length > 1 || !isFreshText(time, request.receivedAt)) return REFUSED;
  if (bodyKindOf(request) === 'none') return REFUSED;
  const message = Buffer.concat([Buffer.from(`${time}.`), request.rawBody]);
  const genuine = matchesHmac({
    algorithm: 'sha256',
    encoding: 'hex',
    secrets,
    messages: [message],
    signatures,
  });
  return genuine ? { genuine, replayKey: pathReplayKey(request.url, message) } : REFUSED;
}

/** The times and signatures in the header; there are two signatures while jambonz' secret changes. */
function readHeader(header: string): { times: string[]; signatures: string[] } {
  const parts = header.split(',').map((part) => part.trim());
  const named = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  return { times: named('t'), signatures: named('v1') };
}
