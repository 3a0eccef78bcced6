import type { Clock } from '#kernel/time/clock.js';
import type { HttpPool } from '#outbound-http/pool.js';
import { send, type HttpAnswer } from '#outbound-http/send.js';
import { outcomeOfError, outcomeOfStatus, type OutcomeName } from './outcome.js';

/** How much of an answer is read: a receiver that says more is cut off. */
const READ_BYTES = 16 * 1024;
/** How much of an answer is usually kept. */
const KEPT_BYTES = 2 * 1024;

/** What is sent, to the byte. */
export interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** How an attempt ended; `stopped` is none: it was called off before there was an answer. */
export interface PostResult {
  outcome: OutcomeName | 'stopped';
  /** Null when no answer came. */
  statusCode: number | null;
  /** The beginning of the answer's body as text; null when there was none. */
  responseBody: string | null;
  /** The header `Retry-After`, as it came. */
  retryAfter: string | null;
}

/** Sends one request to a receiver and says how it ended (port). It never rejects and never outlasts its deadline. */
export type Post = (request: PostRequest, stop: AbortSignal) => Promise<PostResult>;

export interface PostOptions {
  clock: Clock;
  /** For name, connection, headers and body together. */
  timeoutMs: number;
  /** How much of an answer's body is handed on; 2 KiB by default, 16 KiB at most. */
  keptBytes?: number;
}

/** A {@link Post} over the connections of a pool. */
export function createPost(pool: HttpPool, options: PostOptions): Post {
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

/** As much as is kept, as a text that every database takes; null when nothing came. */
function textOf({ body, headers }: HttpAnswer, keptBytes: number): string | null {
  if (body.length === 0) return null;
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') return `(${body.length} bytes, compressed)`;
  return body.subarray(0, keptBytes).toString().replaceAll('\0', '�');
}
