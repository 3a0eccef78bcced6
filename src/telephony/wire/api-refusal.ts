import { CarrierError } from '#telephony/port/carrier.js';
import type { ApiAnswer } from './carrier-http.js';

/** A carrier's explanation of a refused request. */
export interface Refusal {
  /** The carrier's code; its HTTP status if it has none. */
  code?: string | null | undefined;
  /** The cause: the number called, the rate of requests, or a lack of capacity. */
  about?: 'number' | 'pace' | 'capacity' | undefined;
}

/**
 * Accepts a successful answer. Errors contain nothing of its text, which may contain a number.
 * @param read decodes an unsuccessful answer; its status decides where the text does not
 * @throws CarrierError for any other answer
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
    throw new CarrierError('not_dialled', 'unreachable', 'the carrier has no capacity now', said);
  // Redirects, timeouts and server errors leave open whether the request was executed.
  if (status < 400 || status === 408 || status >= 500)
    throw new CarrierError('unknown', 'server_error', 'the carrier failed', said);
  if (about === 'number')
    throw new CarrierError('not_dialled', 'invalid_number', 'the carrier does not call this number', said);
  throw new CarrierError('not_dialled', 'refused', 'the carrier refused the request', said);
}

/**
 * The call id in an answer.
 * @throws CarrierError `unknown` if there is none: the call may exist
 */
export function requireCallId(named: string | null | undefined): string {
  if (named) return named;
  throw new CarrierError('unknown', 'server_error', 'the carrier named no call in its answer');
}

/** A field of an answer as text; null if it is missing or empty. */
export function textIn(json: unknown, key: string): string | null {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, key)) return null;
  const value = (json as Record<string, unknown>)[key];
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : null;
}
