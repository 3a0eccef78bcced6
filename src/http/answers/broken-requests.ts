import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../kernel/errors.js';
import type { Ids } from '../../kernel/ids.js';
import { toProblemBody } from '../problems/problem-body.js';
import { API_VERSION } from './response-facts.js';

/** What Node's parser may find wrong before there is a request. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers bytes that never became a request, and closes the connection. */
export function answerBrokenRequest(ids: Ids) {
  return (error: { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const status = STATUS_OF_CODE[error.code ?? ''] ?? 400;
    const requestId = ids.next('req');
    const problem = new Problem('validation_error', 'The request is not complete and correct HTTP.');
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
  };
}
