import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { socketCredentialOf } from '#access/credentials.js';
import { Problem, PROBLEMS, type ProblemCode } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import { SocketRefused, type OpenSocket, type OutboundSocket } from '#outbound-http/socket.js';
import { TOO_SLOW, truncateReason } from '#ws/limits/closing.js';

/*
 * Relays a socket to the process that carries its call: a load balancer may bring a socket to any process. The other
 * process checks the same credentials.
 */

/** Marks a relayed socket: if it comes to a wrong process again, it is refused instead of relayed. */
const RELAYED_HEADER = 'x-callwright-relayed';
/** Headers that the other process needs to check the credentials of the socket by itself. */
const CREDENTIAL_HEADERS = ['x-api-key', 'authorization', 'cookie'] as const;
/** A socket with more unread than this does not keep up, and is closed: more than a second of sound at any rate. */
const MOST_UNREAD_BYTES = 512 * 1024;
/** Close codes (RFC 6455 section 7.4.1). 1005 and 1006 stand for a missing code or frame and cannot be sent. */
const [NO_CODE, NO_CLOSE_FRAME, INTERNAL_ERROR] = [1005, 1006, 1011];

/** A WebSocket message, undecoded. */
export interface RawMessage {
  message: Buffer;
  isBinary: boolean;
}

/** True if another process has relayed this socket. */
export function isRelayed(request: FastifyRequest): boolean {
  return request.headers[RELAYED_HEADER] !== undefined;
}

/**
 * Opens the socket of a request at the process that carries its call.
 * @param address host and port of that process
 * @throws Problem with which that process refuses the socket; `unavailable` if it cannot be reached
 */
export async function openAt(
  address: string,
  request: FastifyRequest,
  { openSocket, log }: { openSocket: OpenSocket; log: Log },
): Promise<OutboundSocket> {
  try {
    return await openSocket({ url: `ws://${address}${request.url}`, headers: headersOf(request.headers) });
  } catch (error) {
    if (error instanceof SocketRefused) throw problemOf(error);
    log.warn({ err: error, address }, 'the process that carries a call was not reached: see NODE_ADDRESS');
    throw new Problem('unavailable', 'The process that carries this call cannot be reached.');
  }
}

/**
 * Relays all messages between a socket of this process (`near`) and the same socket at the process that carries its
 * call (`far`), until either is closed or does not keep up. The caller passes the messages of the near socket to
 * `toFar` of the result.
 */
export function startRelay(near: WebSocket, far: OutboundSocket): { toFar(raw: RawMessage): void } {
  near.once('close', () => far.close());
  void relayBack(near, far);
  return {
    toFar: ({ message, isBinary }) => {
      if (far.unsentBytes > MOST_UNREAD_BYTES) near.close(TOO_SLOW.code, TOO_SLOW.reason);
      else far.send(isBinary ? message : message.toString());
    },
  };
}

/**
 * Passes the messages of the far socket to the near socket, and closes the near socket with the same code, or 1011 if
 * the connection broke.
 */
async function relayBack(near: WebSocket, far: OutboundSocket): Promise<void> {
  for (let message = await far.next(); message !== null; message = await far.next()) {
    if (near.readyState !== near.OPEN) break;
    if (near.bufferedAmount > MOST_UNREAD_BYTES) return near.close(TOO_SLOW.code, TOO_SLOW.reason);
    if ('text' in message) near.send(message.text);
    else near.send(message.bytes, { binary: true });
  }
  const { code, reason } = far.end ?? { code: NO_CODE, reason: '' };
  if (code === NO_CODE) near.close();
  else near.close(code === NO_CLOSE_FRAME ? INTERNAL_ERROR : code, truncateReason(reason));
}

/** The headers for the other process: the credentials of the request, and the mark of a relayed socket. */
function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const credentialHeaders = CREDENTIAL_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  // Browsers send a credential as a sub-protocol; the other process gets it as a header.
  const shown = socketCredentialOf({
    headers: { 'sec-websocket-protocol': headers['sec-websocket-protocol'] },
  });
  const credential = shown?.kind === 'principal' ? shown.credentials[0] : shown?.token;
  return {
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...Object.fromEntries(credentialHeaders),
    [RELAYED_HEADER]: '1',
  };
}

/** The parts of an error body of the API. */
const refusal = z.object({
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
  message: z.string(),
});

/** The problem in the body of a refused handshake. */
function problemOf({ status, body }: SocketRefused): Problem {
  try {
    const { code, message } = refusal.parse(JSON.parse(body));
    return new Problem(code, message);
  } catch {
    return new Problem('unavailable', `The process that carries this call has refused it with ${status}.`);
  }
}
