import { createHmac } from 'node:crypto';

/**
 * Signs a request as Twilio does: HMAC-SHA1 of the URL followed by every form key and value, keys in byte order, base64.
 * Of a repeated key, each different value counts once, sorted. Source: Twilio's "Validating requests".
 */
export function signatureOf(authToken: string, url: string, form: URLSearchParams): string {
  const keys = [...new Set(form.keys())].sort(byBytes);
  const signed = keys.flatMap((key) => [...new Set(form.getAll(key))].sort(byBytes).map((one) => key + one));
  return createHmac('sha1', authToken)
    .update(url + signed.join(''))
    .digest('base64');
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
