import type { Clock } from '#kernel/time/clock.js';
import type { HttpPool } from '#outbound-http/pool.js';
import { send, type HttpAnswer } from '#outbound-http/send.js';
import { outcomeOfError, outcomeOfStatus, type OutcomeName } from './outcome.js';

/** The most bytes that are read of a response; the connection of a longer response is closed. */
const READ_BYTES = 16 * 1024;
/** The most bytes of a response that are stored by default. */
const KEPT_BYTES = 2 * 1024;

/** The HTTP request of an attempt. */
export interface AttemptRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** The result of an attempt. `stopped`: the caller aborted it before the response was complete. */
export interface AttemptResult {
  outcome: OutcomeName | 'stopped';
  /** Null without a response. */
  statusCode: number | null;
  /** The beginning of the response body as text, or only its size if it is compressed; null without a body. */
  responseBody: string | null;
  /** The header `Retry-After`, unparsed. */
  retryAfter: string | null;
}

/** Sends one request to a receiver (port). Never rejects, and never takes longer than its deadline. */
export type SendAttempt = (request: AttemptRequest, stop: AbortSignal) => Promise<AttemptResult>;

/** Options of {@link createAttemptSender}. */
export interface AttemptOptions {
  clock: Clock;
  /** For name resolution, connection, headers and body together. */
  timeoutMs: number;
  /** Most bytes of a response body in the result: 2 KiB by default, 16 KiB at most. */
  keptBytes?: number;
}

/**
 * A {@link SendAttempt} over the connections of a pool. `WebhookService` makes one sender for deliveries and one for
 * lookups.
 */
export function createAttemptSender(pool: HttpPool, options: AttemptOptions): SendAttempt {
  const { clock, timeoutMs, keptBytes = KEPT_BYTES } = options;
  const deadline = { clock, timeoutMs };
  return async (request, stop) => {
    try {
      const sent = { method: 'POST', ...request } as const;
      const answer = await send(pool, sent, { largestBytes: READ_BYTES, signal: stop, deadline });
      const retryAfter = answer.headers['retry-after'];
      return {
        outcome: outcomeOfStatus(answer.status),
        statusCode: answer.status,
        responseBody: textOf(answer, keptBytes),
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } catch (error) {
      const outcome = stop.aborted && error === stop.reason ? 'stopped' : outcomeOfError(error);
      return { outcome, statusCode: null, responseBody: null, retryAfter: null };
    }
  };
}

/**
 * The beginning of a body as text without NUL, which PostgreSQL cannot store; a note of its size if it is compressed;
 * null for an empty body.
 */
function textOf({ body, headers }: HttpAnswer, keptBytes: number): string | null {
  if (body.length === 0) return null;
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') return `(${body.length} bytes, compressed)`;
  return body.subarray(0, keptBytes).toString().replaceAll('\0', '�');
}
