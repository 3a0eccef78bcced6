import { createHash } from 'node:crypto';
import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';
import { bodyKindOf, formFields, queryFields, type Field } from '#telephony/wire/form-fields.js';
import { isSameText, matchesHmac } from '#telephony/signatures/hmac.js';
import { replayKey } from '#telephony/signatures/replay-key.js';
import { REFUSED, type Verdict } from '#telephony/port/verdict.js';
import { withAndWithoutPort } from '#telephony/signatures/url-ports.js';

/** The query field with a hash of the body, for bodies that are no form. */
const BODY_HASH_FIELD = 'bodySHA256';
/** The header with a token that is equal for retries of one message. */
const IDEMPOTENCY_HEADER = 'i-twilio-idempotency-token';

/** How the values of repeated form fields are signed. */
export type RepeatedFields =
  /** Each value once, sorted: Twilio. */
  | 'distinct'
  /** As sent: SignalWire. */
  | 'as-sent';

/**
 * Verifies the signature of a callback of Twilio, `X-Twilio-Signature`: HMAC-SHA1 of the URL and the form fields. The
 * scheme has neither a time nor a nonce. A repeated request may be a retry, or a second message with the same content
 * (a redirect to the same URL); only Twilio's idempotency token distinguishes them. Without a token, copies must be
 * harmless: the ids of calls ensure that. The token itself is not signed, so it counts only together with the
 * signature.
 * Source: Twilio, "Webhooks security".
 * @param authTokens the account's primary token; during a change also the next token
 */
export function verifyTwilioSignature(request: CarrierHttpRequest, authTokens: readonly string[]): Verdict {
  const signature = request.headers['x-twilio-signature'];
  if (signature === undefined || !isTwilioSigned(request, signature, authTokens, 'distinct')) return REFUSED;
  return { genuine: true, replayKey: twilioReplayKey(request, signature) };
}

/** True if a signature is valid by Twilio's scheme. A body that the scheme does not cover is refused. */
export function isTwilioSigned(
  request: CarrierHttpRequest,
  signature: string,
  secrets: readonly string[],
  repeated: RepeatedFields,
): boolean {
  const signed = signedTextAfterUrl(request, repeated);
  if (signed === null) return false;
  const messages = withAndWithoutPort(request.url).map((url) => url + signed);
  return matchesHmac({ algorithm: 'sha1', encoding: 'base64', secrets, messages, signatures: [signature] });
}

/**
 * The key by which copies of a request are detected ({@link Verdict.replayKey}), for Twilio's scheme of signatures;
 * null without an idempotency token.
 */
export function twilioReplayKey(request: CarrierHttpRequest, signature: string): string | null {
  const token = request.headers[IDEMPOTENCY_HEADER];
  return token ? replayKey(token, signature) : null;
}

/** The signed text after the URL; null if the body is neither a form nor hashed in the URL. */
function signedTextAfterUrl(request: CarrierHttpRequest, repeated: RepeatedFields): string | null {
  const kind = bodyKindOf(request);
  if (kind === 'none') return '';
  const bodyHash = queryFields(request.url).find(([name]) => name === BODY_HASH_FIELD)?.[1];
  if (bodyHash !== undefined) return isSameText(hashOf(request.rawBody), bodyHash) ? '' : null;
  return kind === 'form' ? joinFields(formFields(request), repeated) : null;
}

/** The hash as `bodySHA256` has it: SHA-256 in hexadecimal. */
function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** The fields as Twilio's scheme signs them: sorted by name, names and values concatenated. */
function joinFields(fields: readonly Field[], repeated: RepeatedFields): string {
  const valuesByName = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const values = valuesByName.get(name);
    if (values) values.push(value);
    else valuesByName.set(name, [value]);
  }
  return [...valuesByName.keys()]
    .sort()
    .flatMap((name) => {
      const values = valuesByName.get(name)!;
      const signed = repeated === 'distinct' ? [...new Set(values)].sort() : values;
      return signed.map((value) => name + value);
    })
    .join('');
}
