import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock } from '#kernel/time/clock.js';
import { RequestTimeout } from './failures.js';
import type { HttpPool } from './pool.js';

const FIRST_FINAL_STATUS = 200;

/** A request, to the byte. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** The response to a request, whatever its status. */
export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  /** Not decompressed; cut at `largestBytes`. */
  body: Buffer;
}

export interface SendOptions {
  /** The body is cut at this size, and the connection closed. */
  largestBytes: number;
  signal?: AbortSignal | undefined;
  /** For name resolution, connection, headers and body together; without it only the pool's timeouts apply. */
  deadline?: { clock: Clock; timeoutMs: number };
}

/**
 * Sends a request once and waits for the whole response.
 * @throws RequestTimeout, the reason of the signal, or an error of undici or Node
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

/** Collects the response of one request. Most are short: a stream for each would cost more than the request. */
class BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #largestBytes: number;
  readonly #ending: { answered: (answer: HttpAnswer) => void; failed: (error: Error) => void };
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;

  constructor(
    largestBytes: number,
    ending: { answered: (answer: HttpAnswer) => void; failed: (error: Error) => void },
  ) {
    this.#largestBytes = largestBytes;
    this.#ending = ending;
  }

  /** Fails the request and closes its connection at once. */
  fail(error: Error): void {
    this.onResponseError(null, error);
    this.#drop();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#drop();
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
    this.#drop();
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#ending.answered({
      status: this.#status,
      headers: this.#headers,
      body: body.subarray(0, this.#largestBytes),
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending.failed(error);
  }

  #drop(): void {
    this.#controller?.abort(new Error('the request is over'));
  }
}

/** The target of a request, as undici takes it. */
export interface RequestTarget {
  origin: string;
  path: string;
}

/**
 * Splits the URL of a request.
 * @throws Error without the URL, which may hold a key; Node's own error quotes it
 */
export function requestTarget(url: string): RequestTarget {
  if (!URL.canParse(url)) throw new Error('the address is not a URL');
  const { origin, pathname, search, username, password } = new URL(url);
  if (username !== '' || password !== '') throw new Error('the address has credentials in it');
  return { origin, path: pathname + search };
}
