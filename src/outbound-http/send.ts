import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock } from '#kernel/time/clock.js';
import { RequestTimeout } from './failures.js';
import type { HttpPool } from './pool.js';
import { requestTarget } from './request-target.js';

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
  /** As it came, undecoded; of a longer one, as much as was asked for. */
  body: Buffer;
}

export interface SendOptions {
  /** When so much of a body has come, the answer is over and its connection is closed. */
  largestBytes: number;
  signal?: AbortSignal | undefined;
  /** For name, connection, headers and body together; without it only the times of the pool hold. */
  deadline?: { clock: Clock; timeoutMs: number };
}

/**
 * Sends a request once and waits for the whole answer.
 * @throws RequestTimeout, the reason of the signal, or an error of undici or Node
 */
export function send(pool: HttpPool, request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
  const { signal, deadline } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const { origin, path } = requestTarget(request.url);
    const cancel = deadline?.clock.after(deadline.timeoutMs, () => exchange.fail(new RequestTimeout()));
    const abort = () => exchange.fail(signal?.reason as Error);
    const finish = () => {
      cancel?.();
      signal?.removeEventListener('abort', abort);
    };
    const exchange = new Exchange(options.largestBytes, {
      answered: (answer) => (finish(), resolve(answer)),
      failed: (error) => (finish(), reject(error)),
    });
    if (signal) {
      // One signal may stop every request under way; Node takes many listeners for a leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', abort, { once: true });
    }
    const { method, headers, body = null } = request;
    pool.dispatcher.dispatch({ method, origin, path, headers, body }, exchange);
  });
}

/** One request as undici reports it. Most answers are short: a stream for each would cost more than the request. */
class Exchange implements Dispatcher.DispatchHandler {
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

  /** Ends it at once: what has not left yet does not leave, and the connection is closed. */
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
    this.#controller?.abort(new Error('the exchange is over'));
  }
}
