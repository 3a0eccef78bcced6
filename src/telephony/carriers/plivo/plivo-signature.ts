import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { bodyKindOf, formFields, queryFields, type Field } from '#telephony/wire/form-fields.js';
import { matchesHmac } from '#telephony/signatures/hmac.js';
import { replayKey } from '#telephony/signatures/replay-key.js';
import { REFUSED, type Verdict } from '#telephony/port/verdict.js';

/** The headers with the signatures: by the token of the (sub)account, and by that of the main account. */
const SIGNATURE_HEADERS = ['x-plivo-signature-v3', 'x-plivo-signature-ma-v3'];
const NONCE_HEADER = 'x-plivo-signature-v3-nonce';

/**
 * Verifies the signature of a callback of Plivo, `X-Plivo-Signature-V3` or `X-Plivo-Signature-Ma-V3` (each may list
 * several): HMAC-SHA256 of the URL, the fields and a nonce. The older `X-Plivo-Signature-V2` does not cover the fields
 * and is refused. The nonce identifies copies, but nothing limits the age of a request: answers are kept for a day
 * (`SeenRequests`), and later copies must be harmless. Source: Plivo, "Signature validation".
 * @param authTokens the account's token: two while one replaces the other
 */
export function verifyPlivoSignature(request: CarrierHttpRequest, authTokens: readonly string[]): Verdict {
  const nonce = request.headers[NONCE_HEADER];
  const canonical = canonicalPlivoRequest(request);
  if (!nonce || canonical === null) return REFUSED;
  const genuine = matchesHmac({
    algorithm: 'sha256',
    encoding: 'base64',
    secrets: authTokens,
    messages: [`${canonical}.${nonce}`],
    signatures: SIGNATURE_HEADERS.flatMap((name) => splitList(request.headers[name])),
  });
  return genuine ? { genuine, replayKey: replayKey(nonce) } : REFUSED;
}

/**
 * The text that Plivo signs, without the nonce: the URL without its query in its original spelling, then the query
 * decoded and sorted, then the form sorted and concatenated: `https://host/path?a=1&b=2.From1555To1556`. Without a
 * query the dot is missing (`https://host/path?From1555To1556`). Null if the body is no form and would not be covered.
 */
function canonicalPlivoRequest(request: CarrierHttpRequest): string | null {
  const kind = bodyKindOf(request);
  if (kind !== 'none' && kind !== 'form') return null;
  const [address] = request.url.split(/[?#]/, 1);
  const query = sorted(queryFields(request.url)).map(([name, value]) => `${name}=${value}`);
  const form = sorted(formFields(request)).map(([name, value]) => name + value);
  const queryText = query.join('&');
  if (form.length === 0) return queryText === '' ? address! : `${address}?${queryText}`;
  return `${address}?${queryText}${queryText === '' ? '' : '.'}${form.join('')}`;
}

/** The fields sorted by name, then by value. */
function sorted(fields: readonly Field[]): Field[] {
  return fields.toSorted((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function splitList(header: string | undefined): string[] {
  return header?.split(',').map((signature) => signature.trim()) ?? [];
}
