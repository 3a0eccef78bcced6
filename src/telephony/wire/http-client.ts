import type { LookupFunction } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';
import { readRetryAfter } from '#kernel/input/retry-after.js';
import { CarrierError } from '#telephony/port/carrier.js';

/** How long a connection to a carrier may take to come about. Until then nothing was sent. */
const CONNECT_TIMEOUT_MS = 4_000;
/**
 * How long each of several addresses but the last may take of that: enough for a first packet that is lost and sent
 * again after a second. Node's own quarter of a second is less than the other side of the world takes.
 */
const ADDRESS_TIMEOUT_MS = 1_500;
/** Longer than anybody waits for an answer: one that never comes must not keep its connection. */
const ANSWER_TIMEOUT_MS = 30_000;
const LARGEST_ANSWER_BYTES = 256 * 1024;
/** Of errors that mean that the request never left, unless they befell a connection that was there already. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

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
export interface HttpClient {
  /**
   * Sends a request once; it is never repeated here, because a repeated one may dial twice.
   * @throws CarrierError `not_dialled`, `unreachable` when it never left; `unknown` when nobody can tell
   */
  send(sent: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer>;
  /** Gives up what is still under way: nobody waits for it any more. */
  close(): Promise<void>;
}

/**
 * The client for all carriers. Redirects are not followed, and no proxy of the environment is used.
 * @param lookup finds the addresses of a name; the operating system when it is left out
 */
export function createHttpClient(lookup?: LookupFunction): HttpClient {
  const agent = new Agent({
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
      ...(lookup && { lookup }),
    },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    pipelining: 1,
  });
  return {
    async send({ method, url, headers, body = null }, signal) {
      if (signal?.aborted) throw new CarrierError('not_dialled', 'timeout', 'the request was not sent');
      try {
        const answer = await request(url, {
          method,
          headers,
          body,
          signal: signal ?? null,
          dispatcher: agent,
        });
        return { status: answer.statusCode, json: await jsonOf(answer), retryAfterMs: retryAfterOf(answer) };
      } catch (error) {
        throw failureOf(error);
      }
    },
    close: () => agent.destroy(),
  };
}

async function jsonOf({ body }: Dispatcher.ResponseData): Promise<unknown> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of body) {
    sizeBytes += (part as Buffer).length;
    if (sizeBytes > LARGEST_ANSWER_BYTES) break;
    parts.push(part as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return null;
  }
}

/** An instant counts from that of the answer: both are of the carrier's clock. */
function retryAfterOf({ headers }: Dispatcher.ResponseData): number | null {
  const written = headers['retry-after'];
  const waitMs = readRetryAfter(String(written ?? ''), Date.parse(String(headers['date'] ?? '')));
  return waitMs || null;
}

/** What a request that failed says of the phone at the other end. */
export function failureOf(error: unknown): CarrierError {
  const { code, name } = error as NodeJS.ErrnoException;
  if (neverLeft(error))
    return new CarrierError('not_dialled', 'unreachable', 'the carrier cannot be reached', code ?? null);
  if (name === 'AbortError')
    return new CarrierError('unknown', 'timeout', 'the carrier did not answer in time');
  return new CarrierError('unknown', 'server_error', 'the connection to the carrier broke', code ?? null);
}

function neverLeft(error: unknown): boolean {
  // Several addresses were tried, each with an error of its own.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverLeft);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect') return true;
  // A network that goes away under a request that was sent has the same code as one that was never there.
  const wasConnected = syscall === 'read' || syscall === 'write';
  return code !== undefined && NEVER_SENT.has(code) && !wasConnected;
}
