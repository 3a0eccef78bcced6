import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock } from '#kernel/time/clock.js';
import { RequestTimeout } from './failures.js';
import type { HttpPool } from './pool.js';

/** Responses with a lower status are interim responses. */
const FIRST_FINAL_STATUS = 200;

/** A request; header values and body are sent unchanged. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** The response to a request, of any status. */
export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  /** Not decompressed; cut at `largestBytes`. */
  body: Buffer;
}

/** Options of {@link send}. */
export interface SendOptions {
  /** The body is cut at this size, and the connection closed. */
  largestBytes: number;
  signal?: AbortSignal | undefined;
  /** Limits name resolution, connection, headers and body together; without it, only the pool's timeouts apply. */
  deadline?: { clock: Clock; timeoutMs: number };
}

/**
 * Sends a request once and resolves with the whole response, of any status. Used for webhooks and carriers; for
 * streamed responses, see `createFetch`.
 * @throws RequestTimeout, the reason of the signal, or an error of {@link requestTarget}, undici or Node
 */
export function send(pool: HttpPool, request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
  const { signal, deadline } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const { origin, path } = requestTarget(request.url);
    const cancel = deadline?.clock.after(deadline.timeoutMs, () => response.fail(new RequestTimeout()));
    const abort = () => response.fail(signal?.reason as Error);
    const finish = () => {
      cancel?.();
      signal?.removeEventListener('abort', abort);
    };
    const response = new BufferedResponse(options.largestBytes, {
      answered: (answer) => (finish(), resolve(answer)),
      failed: (error) => (finish(), reject(error)),
    });
    if (signal) {
      // One signal may stop many requests; Node warns of a leak from eleven listeners.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', abort, { once: true });
    }
    const { method, headers, body = null } = request;
    pool.dispatcher.dispatch({ method, origin, path, headers, body }, response);
  });
}

/**
 * Collects the response of one request in memory: most responses are short, and a stream would cost more than the whole
 * request.
 */
class BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #largestBytes: number;
  readonly #callbacks: { answered: (answer: HttpAnswer) => void; failed: (error: Error) => void };
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;
  /** True once the response was reported, or the failure. */
  #isOver = false;

  constructor(
    largestBytes: number,
    callbacks: { answered: (answer: HttpAnswer) => void; failed: (error: Error) => void },
  ) {
    this.#largestBytes = largestBytes;
    this.#callbacks = callbacks;
  }

  /** Fails the request and closes its connection at once. */
  fail(error: Error): void {
    this.onResponseError(null, error);
    this.#closeConnection();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#closeConnection();
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < FIRST_FINAL_STATUS) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes < this.#largestBytes) return;
    this.onResponseEnd();
    this.#closeConnection();
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#callbacks.answered({
      status: this.#status,
      headers: this.#headers,
      body: body.subarray(0, this.#largestBytes),
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#callbacks.failed(error);
  }

  /** Ends the exchange with the server, which also closes the connection. */
  #closeConnection(): void {
    this.#controller?.abort(new Error('the request is over'));
  }
}

/** The target of a request, in the form that undici takes. */
export interface RequestTarget {
  origin: string;
  path: string;
}

/**
 * Splits the URL of a request.
 * @throws Error for an invalid URL or one with credentials. The message does not quote the URL, which may hold a key.
 */
export function requestTarget(url: string): RequestTarget {
  if (!URL.canParse(url)) throw new Error('the address is not a URL');
  const { origin, pathname, search, username, password } = new URL(url);
  if (username !== '' || password !== '') throw new Error('the address has credentials in it');
  return { origin, path: pathname + search };
}
