/**
 * Converts unsuccessful answers of carriers' APIs to {@link CarrierError}, which says whether a phone may ring. Each
 * carrier's client adds a function that reads the carrier's own error codes.
 */
import { CarrierError } from '#telephony/port/carrier.js';
import type { ApiAnswer } from './carrier-http.js';

/** A carrier's explanation of a refused request, as far as its error body is understood. */
export interface Refusal {
  /** The carrier's own code, if its error body has one; otherwise the error shows the HTTP status. */
  code?: string | null | undefined;
  /** The cause: the called number, the rate of requests (`pace`), or a lack of capacity. Undefined for any other. */
  cause?: 'number' | 'pace' | 'capacity' | undefined;
}

/**
 * Returns for a successful answer (2xx) and throws for any other. The error carries the code and the requested pause,
 * but no text of the answer: that may contain a telephone number.
 * @param readRefusal reads the carrier's explanation from the answer; without it, the HTTP status alone decides
 * @throws CarrierError `unknown` if the request may have been executed, else `not_dialled`
 */
export function requireSuccess(
  answer: ApiAnswer,
  readRefusal: (answer: ApiAnswer) => Refusal = () => ({}),
): void {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return;
  const { code, cause } = readRefusal(answer);
  const shownCode = code || String(status);
  if (cause === 'pace' || status === 429) {
    const message = 'the carrier takes no more calls now';
    throw new CarrierError('not_dialled', 'rate_limited', message, shownCode, retryAfterMs);
  }
  if (cause === 'capacity')
    throw new CarrierError('not_dialled', 'unreachable', 'the carrier has no capacity now', shownCode);
  // Redirects, timeouts and server errors leave open whether the request was executed.
  if (status < 400 || status === 408 || status >= 500)
    throw new CarrierError('unknown', 'server_error', 'the carrier failed', shownCode);
  if (cause === 'number')
    throw new CarrierError(
      'not_dialled',
      'invalid_number',
      'the carrier does not call this number',
      shownCode,
    );
  throw new CarrierError('not_dialled', 'refused', 'the carrier refused the request', shownCode);
}

/**
 * Returns the call id in an answer to a dial request.
 * @throws CarrierError `unknown` if there is none: the call may exist
 */
export function requireCallId(callId: string | null | undefined): string {
  if (callId) return callId;
  throw new CarrierError('unknown', 'server_error', 'the carrier named no call in its answer');
}

/** A text or number field of a JSON answer, as text; null if it is missing or empty. */
export function textIn(json: unknown, key: string): string | null {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, key)) return null;
  const value = (json as Record<string, unknown>)[key];
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : null;
}
