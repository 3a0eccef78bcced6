import { CarrierError } from './carrier.js';
import type { ApiAnswer } from './http-client.js';

/** Plivo names no codes: a refusal that is about the number says so in English. */
const ABOUT_THE_NUMBER = /\b(?:to|destination)\b.*\binvalid\b|\binvalid\b.*\b(?:to|destination)\b/i;

/** @throws CarrierError for any answer but a success; it has nothing of the answer's text, which may name a number */
export function refuseUnlessDone({ status, json }: ApiAnswer): void {
  if (status >= 200 && status < 300) return;
  const code = String(status);
  if (status === 429)
    throw new CarrierError('not_dialled', 'rate_limited', 'the carrier takes no more calls now', code);
  if (status >= 500) throw new CarrierError('unknown', 'server_error', 'the carrier failed', code);
  if (status === 400 && ABOUT_THE_NUMBER.test(textIn(json, 'error') ?? ''))
    throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number', code);
  throw new CarrierError('not_dialled', 'refused', 'the carrier refused the request', code);
}

/** A field of an answer, as text; null when it is none. */
export function textIn(json: unknown, key: string): string | null {
  if (typeof json !== 'object' || json === null) return null;
  const value = (json as Record<string, unknown>)[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
