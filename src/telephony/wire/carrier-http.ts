import type { LookupFunction } from 'node:net';
import { readRetryAfter } from '#kernel/input/retry-after.js';
import type { Clock } from '#kernel/time/clock.js';
import { wasNeverSent } from '#outbound-http/failures.js';
import { openHttpPool } from '#outbound-http/pool.js';
import { send, type HttpAnswer } from '#outbound-http/send.js';
import { CarrierError } from '#telephony/port/carrier.js';

/** How long a connection to a carrier may take to come about. Until then nothing was sent. */
const CONNECT_TIMEOUT_MS = 4_000;
/** How long each of several addresses but the last may take of that: enough for one lost packet, resent after 1 s. */
const ADDRESS_TIMEOUT_MS = 1_500;
/** Short: a connection that the carrier closes as a call is placed leaves unknown whether a phone rings. */
const KEEP_ALIVE_MS = 4_000;
/** Longer than any adapter waits for an answer: one that never comes must not keep its connection. */
const ANSWER_TIMEOUT_MS = 30_000;
const LARGEST_ANSWER_BYTES = 256 * 1024;

/** A request to the API of a carrier. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** What the API of a carrier has answered, whatever its status. */
export interface ApiAnswer {
  status: number;
  /** The body as JSON; null when it is none. */
  json: unknown;
  /** How long the carrier asks us to wait, in milliseconds; null when it does not say. */
  retryAfterMs: number | null;
}

/** How adapters reach the APIs of carriers. */
export interface CarrierHttp {
  /**
   * Sends a request once; it is never repeated here, because a repeated one may dial twice.
   * @throws CarrierError `not_dialled`, `unreachable` when it never left; `unknown` when that is uncertain
   */
  send(sent: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer>;
  /** Gives up the requests under way. */
  close(): Promise<void>;
}

/**
 * The HTTP client for all carriers.
 * @param options `lookup` finds the addresses of a name; the operating system by default
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

function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

/** An instant counts from that of the answer: both are of the carrier's clock. */
function retryAfterOf({ headers }: HttpAnswer): number | null {
  const { 'retry-after': written = '', date = '' } = headers;
  const waitMs = readRetryAfter(written, Date.parse(date));
  return waitMs || null;
}

/** What a request that failed says of the phone at the other end. */
export function failureOf(error: unknown): CarrierError {
  const { code, name } = error as NodeJS.ErrnoException;
  if (wasNeverSent(error))
    return new CarrierError('not_dialled', 'unreachable', 'the carrier cannot be reached', code ?? null);
  if (name === 'AbortError')
    return new CarrierError('unknown', 'timeout', 'the carrier did not answer in time');
  return new CarrierError('unknown', 'server_error', 'the connection to the carrier broke', code ?? null);
}
