import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import { toProblemBody } from '#http/problems/problem-body.js';
import { API_VERSION } from './response-facts.js';

/** The answer to bytes that are not a request. */
interface Fault {
  status: number;
  message: string;
}

const NOT_HTTP: Fault = { status: 400, message: 'The request is not complete and correct HTTP.' };
/** Our own code for a CONNECT request, which asks for a proxy. */
const NO_PROXY = 'NO_PROXY';
/** The answers by code: of an error of Node's HTTP parser, or {@link NO_PROXY}. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive whole in time.' },
  [NO_PROXY]: {
    status: 400,
    message: 'There is no way through this service to others: it knows no CONNECT.',
  },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The address or the headers of the request are too long.' },
};

/** The last request of a connection, and its response. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Answers bytes that are not a valid request, and CONNECT requests, in the error shape of the API, and closes the
 * connection: Fastify never sees them. Used by `buildServer`.
 */
export class BrokenRequests {
  readonly #ids: Ids;
  /** The last exchange of each connection. */
  readonly #lastOf = new WeakMap<Socket, Exchange>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Notes the requests of a server, so that none is answered twice, and answers CONNECT requests. */
  watch(server: Server): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#lastOf.set(request.socket, { request, response });
    });
    // Without a listener, Node would close the connection of a CONNECT request without an answer.
    server.on('connect', ({ socket }) => {
      socket.on('error', () => socket.destroy());
      this.answer({ code: NO_PROXY }, socket);
    });
  }

  /** Answers an error of Node's HTTP parser (`clientError`), after the answers to earlier requests. */
  answer(error: { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const { request, response } = this.#lastOf.get(socket) ?? {};
    // The error is either in the body of the last request, or in the bytes after that request.
    const isInLast = request?.complete === false;
    if (!response || (isInLast && !response.headersSent)) this.#sendError(error, socket);
    // A last request whose answer has begun gets no second answer.
    else onceEnded(response, () => (isInLast ? socket.destroySoon() : this.#sendError(error, socket)));
  }

  /** Writes the answer by hand, since there is no request that Node could answer. */
  #sendError({ code = '' }: { code?: string }, socket: Socket): void {
    const { status, message } = FAULTS[code] ?? NOT_HTTP;
    const requestId = this.#ids.next('req');
    // The code is always `validation_error`, also with the status 408 or 431.
    const problem = new Problem('validation_error', message);
    const body = JSON.stringify({ ...toProblemBody(problem, requestId), status });
    if (socket.writable) {
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        `X-API-Version: ${API_VERSION}`,
        'Connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroySoon();
  }
}

/** Calls back once a response is sent completely, or can no longer be sent. */
function onceEnded(response: ServerResponse, callback: () => void): void {
  if (response.writableFinished || response.destroyed) callback();
  else response.once('close', callback);
}
