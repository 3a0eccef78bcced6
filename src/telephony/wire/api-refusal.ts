import { CarrierError } from '#telephony/port/carrier.js';
import type { ApiAnswer } from './carrier-http.js';

/** What a carrier's own words say of a request that it did not do. */
export interface Refusal {
  /** Its code for that; its HTTP status where it has none. */
  code?: string | null | undefined;
  /** What was wrong with it: the number called, too many requests at once, or that nobody can do it now. */
  about?: 'number' | 'pace' | 'capacity' | undefined;
}

/**
 * Nothing for a success. The errors have none of the answer's text, which may name a number.
 * @param read what an answer says that is none; its status decides where the words do not
 * @throws CarrierError for any answer but a success
 */
export function refuseUnlessDone(answer: ApiAnswer, read: (answer: ApiAnswer) => Refusal = () => ({})): void {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return;
  const { code, about } = read(answer);
  const said = code || String(status);
  if (about === 'pace' || status === 429) {
    const message = 'the carrier takes no more calls now';
    throw new CarrierError('not_dialled', 'rate_limited', message, said, retryAfterMs);
  }
  if (about === 'capacity')
    throw new CarrierError('not_dialled', 'unreachable', 'the carrier has nobody for a call now', said);
  // A redirect, a time-out and a failure say nothing of what was done.
  if (status < 400 || status === 408 || status >= 500)
    throw new CarrierError('unknown', 'server_error', 'the carrier failed', said);
  if (about === 'number')
    throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number', said);
  throw new CarrierError('not_dialled', 'refused', 'the carrier refused the request', said);
}

/**
 * The id of the call that an answer names.
 * @throws CarrierError `unknown` where it names none: nobody knows whether there is a call
 */
export function requireCallId(named: string | null | undefined): string {
  if (named) return named;
  throw new CarrierError('unknown', 'server_error', 'the carrier named no call in its answer');
}

/** A field of an answer, as text; null when it has none, or an empty one. */
export function textIn(json: unknown, key: string): string | null {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, key)) return null;
  const value = (json as Record<string, unknown>)[key];
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : null;
}
