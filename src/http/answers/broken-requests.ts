import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import { toProblemBody } from '#http/problems/problem-body.js';
import { API_VERSION } from './response-facts.js';

/** The answer to bytes that are no request. */
interface Fault {
  status: number;
  message: string;
}

const NO_HTTP: Fault = { status: 400, message: 'The request is not complete and correct HTTP.' };
const NO_PROXY = 'NO_PROXY';
/** Errors of Node's HTTP parser before there is a request. */
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
 * Answers bytes that are no valid request in the error shape of the API, and closes the connection: Fastify never sees
 * them. Used by the server for Node's parser errors and for CONNECT.
 */
export class BrokenRequests {
  readonly #ids: Ids;
  /** The last exchange of each connection. */
  readonly #lastOf = new WeakMap<Socket, Exchange>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Observes requests and responses, so that each request is answered once. */
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
    // The error is in the body of the last request, or in bytes after it.
    const isOfLast = request?.complete === false;
    if (!response || (isOfLast && !response.headersSent)) this.#sendError(error, socket);
    else onceEnded(response, () => (isOfLast ? socket.destroySoon() : this.#sendError(error, socket)));
  }

  /** Writes the answer by hand, since there is no request that Node could answer. */
  #sendError({ code = '' }: { code?: string }, socket: Socket): void {
    const { status, message } = FAULTS[code] ?? NO_HTTP;
    const requestId = this.#ids.next('req');
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

/** Calls back once a response is sent completely: earlier requests are answered first. */
function onceEnded(response: ServerResponse, callback: () => void): void {
  if (response.writableFinished || response.destroyed) callback();
  else response.once('close', callback);
}
