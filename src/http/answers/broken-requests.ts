import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../kernel/errors.js';
import type { Ids } from '../../kernel/ids.js';
import { toProblemBody } from '../problems/problem-body.js';
import { API_VERSION } from './response-facts.js';

interface Fault {
  status: number;
  message: string;
}

const NO_HTTP: Fault = { status: 400, message: 'The request is not complete and correct HTTP.' };
/** What Node's parser may find wrong before there is a request. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive whole in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The address or the headers of the request are too long.' },
};

/** Answers bytes that never became a request, and closes the connection. */
export function answerBrokenRequest(ids: Ids) {
  return (error: { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const { status, message } = FAULTS[error.code ?? ''] ?? NO_HTTP;
    const requestId = ids.next('req');
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
  };
}
