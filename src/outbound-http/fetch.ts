import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web';
import type { Dispatcher } from 'undici';
import { RequestFailed } from './failures.js';
import type { HttpPool } from './pool.js';
import { requestTarget, type RequestTarget } from './send.js';

/** Responses with a lower status are interim responses. */
const FIRST_FINAL_STATUS = 200;
/** `Response` refuses a higher status. */
const LAST_STATUS = 599;
/** Status codes of responses without a body (Fetch standard, "null body status"). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Bytes of a response that wait for the reader before the connection is paused. */
const BUFFERED = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });
/** All but printable ASCII: `Headers` and `Response` refuse many other characters. */
const UNPRINTABLE = /[^\t -~]/g;

/** Limits of a response. */
export interface FetchLimits {
  /** The largest body; a longer one fails. Unlimited by default. */
  responseBytes?: number;
  /** The timeout until the headers of the response, precise to a second; the pool's timeout by default. */
  headersTimeoutMs?: number;
  /** The timeout between two parts of the body, precise to a second; the pool's timeout by default. */
  silenceTimeoutMs?: number;
}

/** The type of `fetch`, as the SDKs of model and voice providers accept it. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a `fetch` over a pool (and its SSRF guard, if it has one), for providers, tools and object storage. Response
 * bodies stream; an abort closes the connection at once.
 *
 * Differences from the standard: redirects are not followed; request bodies are buffered; compression is not accepted;
 * network errors are `TypeError('fetch failed')` with a {@link RequestFailed} as their cause.
 */
export function createFetch({ pool, limits = {} }: { pool: HttpPool; limits?: FetchLimits }): Fetch {
  const timeouts = {
    ...(limits.headersTimeoutMs !== undefined && { headersTimeout: limits.headersTimeoutMs }),
    ...(limits.silenceTimeoutMs !== undefined && { bodyTimeout: limits.silenceTimeoutMs }),
  };
  return async (input, init = {}) => {
    const { url, method, headers, body, signal } = await readRequest(input, init);
    signal?.throwIfAborted();
    const toFailure = (cause: unknown) =>
      new TypeError('fetch failed', { cause: new RequestFailed({ method, url }, cause) });
    const target = readTarget(url, toFailure);
    return new Promise((resolve, reject) => {
      const response = new StreamedResponse({ limits, signal, resolve, reject, toFailure: toFailure });
      pool.dispatcher.dispatch({ ...target, ...timeouts, method, headers, body }, response);
    });
  };
}

/** The target of a request. @throws the `TypeError` that `fetch` throws */
function readTarget(url: string, toFailure: (cause: unknown) => TypeError): RequestTarget {
  try {
    return requestTarget(url);
  } catch (error) {
    throw toFailure(error);
  }
}

/** The parts of a request from any form of `fetch` arguments. */
async function readRequest(input: string | URL | Request, init: RequestInit) {
  const requestInput = input instanceof Request ? input : null;
  const headers = new Headers(init.headers ?? requestInput?.headers);
  // A compressed stream arrives in bursts, and may expand a thousandfold (decompression bomb).
  headers.set('accept-encoding', 'identity');
  return {
    url: input instanceof Request ? input.url : String(input),
    method: (init.method ?? requestInput?.method ?? 'GET').toUpperCase(),
    signal: init.signal ?? requestInput?.signal ?? null,
    body: await readBody(init.body ?? requestInput?.body ?? null, headers),
    headers: Object.fromEntries(headers),
  };
}

/** The body in bytes or as text; null for none. @param headers the body's content type is added if it is absent */
async function readBody(body: RequestInit['body'], headers: Headers): Promise<string | Uint8Array | null> {
  if (body === null || body === undefined) return null;
  if (body instanceof Uint8Array) return body;
  // `Response` converts forms, blobs, buffers and streams to bytes.
  const packedBody = new Response(body);
  const type = packedBody.headers.get('content-type');
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
  return typeof body === 'string' ? body : new Uint8Array(await packedBody.arrayBuffer());
}

/** The request of a {@link StreamedResponse}, and the promise of its response. */
interface RequestContext {
  limits: FetchLimits;
  signal: AbortSignal | null;
  resolve: (response: Response) => void;
  reject: (error: unknown) => void;
  toFailure: (cause: unknown) => TypeError;
}

/** Turns the events of one undici request into a `Response`, with back-pressure from its reader. */
class StreamedResponse implements Dispatcher.DispatchHandler {
  readonly #context: RequestContext;
  #controller: Dispatcher.DispatchController | null = null;
  /** Null before the response begins, and once its reader has cancelled. */
  #body: ReadableStreamDefaultController<Uint8Array> | null = null;
  #sizeBytes = 0;
  /** True once the response has ended, failed or been cancelled. */
  #isOver = false;

  constructor(context: RequestContext) {
    this.#context = context;
    const { signal } = context;
    if (!signal) return;
    // One signal may stop all requests of a call; Node warns of a leak from eleven listeners.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#closeConnection();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText = '',
  ): void {
    if (status < FIRST_FINAL_STATUS) return;
    const problem = this.#problemOf(status, headers);
    if (problem) return this.#fail(this.#context.toFailure(problem));
    const source: UnderlyingSource<Uint8Array> = {
      start: (body) => void (this.#body = body),
      pull: () => controller.resume(),
      cancel: () => {
        this.#body = null;
        this.#finish();
        this.#closeConnection();
      },
    };
    const stream = new ReadableStream(source, BUFFERED);
    const init = { status, statusText: statusText.replace(UNPRINTABLE, ''), headers: headersOf(headers) };
    this.#context.resolve(new Response(WITHOUT_BODY.has(status) ? null : stream, init));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici reports an empty chunk after a pause, which a byte stream refuses.
    if (this.#isOver || chunk.length === 0) return;
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > this.#largestBytes)
      return this.#fail(this.#context.toFailure(new ResponseTooLong()));
    this.#body?.enqueue(chunk);
    if ((this.#body?.desiredSize ?? 1) <= 0) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#finish();
    // undici frees the connection one turn of the event loop after the response. The body ends after that, so that its
    // reader's next request reuses the connection.
    queueMicrotask(() => setImmediate(() => this.#body?.close()));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(this.#context.toFailure(error));
  }

  get #largestBytes(): number {
    return this.#context.limits.responseBytes ?? Number.POSITIVE_INFINITY;
  }

  /** The reason to refuse a response; null for a valid one. */
  #problemOf(status: number, headers: IncomingHttpHeaders): Error | null {
    if (status > LAST_STATUS) return new Error(`the response has the status ${status}`);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity')
      return new Error('the response is compressed, which the request did not accept');
    return Number(headers['content-length'] ?? 0) > this.#largestBytes ? new ResponseTooLong() : null;
  }

  readonly #abort = (): void => this.#fail(this.#context.signal?.reason);

  /** Rejects the request, or ends the body of its response with the error. */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#finish();
    if (this.#body) this.#body.error(error);
    else this.#context.reject(error);
    this.#closeConnection();
  }

  /** Marks the request as over; an abort has no effect any more. */
  #finish(): void {
    this.#isOver = true;
    this.#context.signal?.removeEventListener('abort', this.#abort);
  }

  /** Ends the exchange with the server, which also closes the connection. */
  #closeConnection(): void {
    this.#controller?.abort(new Error('the request is over'));
  }
}

/** The response is longer than the limits allow. */
class ResponseTooLong extends Error {
  readonly code = 'response_too_long';

  constructor() {
    super('the response is longer than it may be');
  }
}

/** The headers as `Headers`, without the characters that they may refuse. */
function headersOf(headers: IncomingHttpHeaders): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const item of [value].flat()) all.append(name, (item ?? '').replace(UNPRINTABLE, ''));
  return all;
}
