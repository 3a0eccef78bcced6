import type { LookupFunction } from 'node:net';
import { readRetryAfter } from '#kernel/input/retry-after.js';
import type { Clock } from '#kernel/time/clock.js';
import { wasNeverSent } from '#outbound-http/failures.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { send, type HttpAnswer } from '#outbound-http/send.js';
import { CarrierError } from '#telephony/port/carrier.js';

// The HTTP client of carriers' APIs, made so that a failure always shows whether a phone may ring.

/** Connection timeout, before anything is sent. */
const CONNECT_TIMEOUT_MS = 4_000;
/** Connection timeout of each address but the last: enough for one lost packet, resent after 1 s. */
const ADDRESS_TIMEOUT_MS = 1_500;
/**
 * How long an idle connection is reused. Short: if the carrier closes it while a call is placed, it is unknown whether
 * a phone rings.
 */
const KEEP_ALIVE_MS = 4_000;
/**
 * Timeout of an answer, so that a missing answer does not hold its connection. Callers can abort earlier (`signal`).
 */
const ANSWER_TIMEOUT_MS = 30_000;
/** Limit of an answer's body. */
const LARGEST_ANSWER_BYTES = 256 * 1024;

/** A request to a carrier's API. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** The answer of a carrier's API, with any status. */
export interface ApiAnswer {
  status: number;
  /** The parsed body; null if it is no JSON. */
  json: unknown;
  /** The carrier's requested pause in milliseconds; null for none. */
  retryAfterMs: number | null;
}

/** The HTTP client that the clients of all carriers share. */
export interface CarrierHttp {
  /**
   * Sends a request once and resolves with the answer, of any status. A failed request is never repeated, because a
   * repetition may dial twice.
   * @throws CarrierError `not_dialled` if the request was never sent (`unreachable`, or `timeout` if the signal was
   * aborted before); `unknown` if it may have arrived
   */
  send(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer>;
  /** Aborts requests in progress. */
  close(): Promise<void>;
}

/**
 * Creates the HTTP client of all carriers, with a pool of connections.
 * @param options `lookup` resolves host names; the operating system by default
 */
export function createCarrierHttp(options: { clock: Clock; lookup?: LookupFunction }): CarrierHttp {
  const pool = openHttpPool({
    ...options,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    addressTimeoutMs: ADDRESS_TIMEOUT_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    silenceTimeoutMs: ANSWER_TIMEOUT_MS,
  });
  return {
    async send(request, signal) {
      if (signal?.aborted) throw new CarrierError('not_dialled', 'timeout', 'the request was not sent');
      try {
        const answer = await send(pool, request, { largestBytes: LARGEST_ANSWER_BYTES, signal });
        return { status: answer.status, json: jsonOf(answer), retryAfterMs: retryAfterOf(answer) };
      } catch (error) {
        throw failureOf(error);
      }
    },
    close: () => pool.close(),
  };
}

/** The parsed body; null if it is no JSON. */
function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

/**
 * The pause that the carrier asks for, in milliseconds. A date counts from the date of the answer, because both are by
 * the carrier's clock.
 */
function retryAfterOf({ headers }: HttpAnswer): number | null {
  const { 'retry-after': retryAfter = '', date = '' } = headers;
  const waitMs = readRetryAfter(retryAfter, Date.parse(date));
  return waitMs || null;
}

/** The error for a request without an answer: whether the request was sent decides whether a phone may ring. */
export function failureOf(error: unknown): CarrierError {
  const { code, name } = error as NodeJS.ErrnoException;
  if (wasNeverSent(error))
    return new CarrierError('not_dialled', 'unreachable', 'the carrier cannot be reached', code ?? null);
  if (name === 'AbortError')
    return new CarrierError('unknown', 'timeout', 'the carrier did not answer in time');
  return new CarrierError('unknown', 'server_error', 'the connection to the carrier broke', code ?? null);
}
