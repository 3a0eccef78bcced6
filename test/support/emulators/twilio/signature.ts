import { createHmac } from 'node:crypto';

/**
 * Signs a request like Twilio: HMAC-SHA1 of the URL followed by every form key and value, in base64; keys are sorted
 * as in Twilio's JavaScript library. Each distinct value of a repeated key counts once, sorted. Source: Twilio's
 * "Validating requests".
 */
export function signatureOf(authToken: string, url: string, form: URLSearchParams): string {
  const keys = [...new Set(form.keys())].sort();
  const signed = keys.flatMap((key) => [...new Set(form.getAll(key))].sort().map((one) => key + one));
  return createHmac('sha1', authToken)
    .update(url + signed.join(''))
    .digest('base64');
}
