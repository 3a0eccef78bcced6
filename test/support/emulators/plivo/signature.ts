import { createHmac } from 'node:crypto';

/**
 * Signs a request by Plivo's scheme V3: HMAC-SHA256 of the URL, its sorted query, the sorted form and a nonce.
 * Source: Plivo, "Signature validation".
 */
export function signatureOf(
  authToken: string,
  request: { url: string; form: URLSearchParams | null; nonce: string },
): string {
  const { origin, pathname, searchParams } = new URL(request.url);
  const query = pairs(searchParams).map(([name, value]) => `${name}=${value}`);
  const form = pairs(request.form ?? new URLSearchParams()).map(([name, value]) => `${name}${value}`);
  const signed = [
    origin + pathname,
    query.length + form.length > 0 ? '?' : '',
    query.join('&'),
    query.length > 0 && form.length > 0 ? '.' : '',
    form.join(''),
  ].join('');
  return createHmac('sha256', authToken).update(`${signed}.${request.nonce}`).digest('base64');
}

function pairs(fields: URLSearchParams): [string, string][] {
  return [...fields].sort((one, other) => byBytes(one[0], other[0]) || byBytes(one[1], other[1]));
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
