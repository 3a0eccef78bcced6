import { isIP } from 'node:net';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import WebSocket from 'ws';
import { asError } from '#kernel/errors/as-error.js';
import type { Clock } from '#kernel/time/clock.js';
import type { SsrfGuard } from './ssrf-guard.js';
import { RequestFailed } from './failures.js';
import { pinnedLookup } from './pool.js';

/** Timeout for name resolution, connection, TLS and the response to the handshake together. */
const HANDSHAKE_TIMEOUT_MS = 3_000;
/** The connection is cut this long after {@link OutboundSocket.close} if the peer sends no close frame. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Reading the body of a refusal stops when it is longer than this. */
const LARGEST_REFUSAL_CHARACTERS = 64 * 1024;
/** A longer message from the server ends the connection. */
const LARGEST_MESSAGE_BYTES = 4 * 1024 * 1024;
/** The close code of a connection that ended without a close frame (RFC 6455). */
const NO_CLOSE_FRAME = 1006;

/** The target of a WebSocket. */
export interface SocketTarget {
  /** A URL with `ws:` or `wss:`; `http:` and `https:` mean the same. */
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** The dependencies of {@link createSocketOpener}. */
export interface SocketParts {
  clock: Clock;
  /** Checks every address before a connection, for URLs of customers. Without it, all addresses are allowed. */
  guard?: SsrfGuard;
  /** 3 s by default. */
  handshakeTimeoutMs?: number;
}

/** A message: of a text frame or of a binary frame. */
export type SocketMessage = { text: string } | { bytes: Uint8Array };

/** How a connection ended: close code and reason; code 1006 if it broke or was cut. */
export interface SocketEnd {
  code: number;
  reason: string;
}

/** The server answered the handshake with an HTTP response instead of a WebSocket. */
export class SocketRefused extends Error {
  override readonly name = 'SocketRefused';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;

  constructor(status: number, headers: IncomingHttpHeaders, body: string) {
    super(`the handshake was refused with HTTP ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/**
 * Opens a WebSocket; aborting ends the attempt.
 * @throws SocketRefused, RequestFailed, or the reason of the signal
 */
export type OpenSocket = (target: SocketTarget, signal?: AbortSignal) => Promise<OutboundSocket>;

/**
 * Creates the WebSocket client, for speech providers and for the sockets of other processes of the service. It uses
 * neither compression nor redirects.
 */
export function createSocketOpener(parts: SocketParts): OpenSocket {
  return async ({ url, headers }, signal) => {
    signal?.throwIfAborted();
    const address = url.replace(/^http/, 'ws');
    // The method only names the attempt in the error's message.
    const toFailure = (cause: unknown) => new RequestFailed({ method: 'CONNECT', url: address }, cause);
    if (!URL.canParse(address)) throw toFailure(new Error('the address is not a URL'));
    const { hostname } = new URL(address);
    // Node calls `lookup` for names only; a literal address is checked here.
    if (parts.guard && isIP(hostname.replace(/^\[|\]$/g, '')))
      await parts.guard.resolve(hostname).catch((error: unknown) => {
        throw toFailure(error);
      });
    const options = {
      headers,
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: LARGEST_MESSAGE_BYTES,
      closeTimeout: CLOSE_TIMEOUT_MS,
      ...(parts.guard && { lookup: pinnedLookup(parts.guard) }),
    };
    const socket = new WebSocket(address, options);
    return handshake(socket, parts, toFailure, signal);
  };
}

/** Waits for the handshake of a socket; the socket is cut if it fails. */
function handshake(
  socket: WebSocket,
  { clock, handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS }: SocketParts,
  toFailure: (cause: unknown) => Error,
  signal: AbortSignal | undefined,
): Promise<OutboundSocket> {
  return new Promise((resolve, reject) => {
    // Messages may arrive in the same packet as the handshake response, so they are collected from here on.
    const opened = new OutboundSocket(socket);
    const settle = (complete: () => void) => {
      cancel();
      signal?.removeEventListener('abort', abort);
      complete();
    };
    const fail = (error: unknown) =>
      settle(() => {
        reject(asError(error));
        socket.terminate();
      });
    const abort = () => fail(signal?.reason);
    const cancel = clock.after(handshakeTimeoutMs, () =>
      fail(toFailure(Object.assign(new Error('no answer to the handshake'), { code: 'ETIMEDOUT' }))),
    );
    signal?.addEventListener('abort', abort, { once: true });
    socket.once('open', () => settle(() => resolve(opened)));
    socket.on('error', (error) => fail(toFailure(error)));
    socket.once('unexpected-response', (_request, response) => {
      void refusalOf(response).then(fail);
    });
  });
}

/** The error for an HTTP response to the handshake. */
async function refusalOf(response: IncomingMessage): Promise<SocketRefused> {
  let body = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      body += chunk;
      if (body.length > LARGEST_REFUSAL_CHARACTERS) break;
    }
  } catch {
    // The status is enough; the body is optional.
  }
  return new SocketRefused(response.statusCode ?? 0, response.headers, body);
}

/** An open WebSocket to another server. Messages are queued until the reader takes them with `next`. */
export class OutboundSocket {
  readonly #socket: WebSocket;
  readonly #messages: SocketMessage[] = [];
  #end: SocketEnd | null = null;
  /** Wakes the reader that waits in `next`; null if none waits. */
  #wake: (() => void) | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      this.#messages.push(isBinary ? { bytes: data } : { text: data.toString() });
      this.#wake?.();
    });
    socket.on('close', (code, reason) => {
      this.#end ??= { code, reason: reason.toString() };
      this.#wake?.();
    });
  }

  /** How the connection ended; null while it is open. */
  get end(): SocketEnd | null {
    return this.#end;
  }

  /** Bytes of sent messages that have not left this machine yet. */
  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Sends a message. After the end of the connection, which {@link next} reports, messages are dropped. */
  send(data: string | Uint8Array): void {
    if (this.#end === null) this.#socket.send(data);
  }

  /** Takes the next message; null after an abort, or if none is left and the connection has ended. For one reader. */
  async next(signal?: AbortSignal): Promise<SocketMessage | null> {
    for (;;) {
      if (signal?.aborted) return null;
      const message = this.#messages.shift();
      if (message) return message;
      if (this.#end) return null;
      await this.#waitForMessage(signal);
    }
  }

  /** Sends a ping; `answered` is called when the peer answers it, unless the connection ends before. */
  ping(answered: () => void): void {
    if (this.#end !== null) return;
    this.#socket.once('pong', answered);
    this.#socket.ping();
  }

  /** Drops the messages that are queued for `next`. */
  discard(): void {
    this.#messages.length = 0;
  }

  /** Closes with a close frame. */
  close(): void {
    if (this.#end === null) this.#socket.close(1000);
  }

  /** Cuts the connection at once. */
  terminate(): void {
    this.#end ??= { code: NO_CLOSE_FRAME, reason: '' };
    this.#socket.terminate();
    this.#wake?.();
  }

  /** Resolves at the next message, at the end of the connection, or when the signal aborts. */
  #waitForMessage(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wake);
        this.#wake = null;
        resolve();
      };
      this.#wake = wake;
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
