import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { socketCredentialOf } from '#access/credentials.js';
import { Problem, PROBLEMS, type ProblemCode } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import { SocketRefused, type OpenSocket, type OutboundSocket } from '#outbound-http/socket.js';
import { TOO_SLOW, truncateReason } from '#ws/limits/closing.js';

/** Marks a socket that a process passes on: where it comes to a wrong process once more, it is refused. */
const RELAYED = 'x-callwright-relayed';
/** What the process with the call needs to check the right of the socket by itself, and to read it as it was meant. */
const PASSED_ON = ['x-api-key', 'authorization', 'cookie'] as const;
/** More than a second of sound at any rate: a socket that has so much unread does not keep up. */
const MOST_UNREAD_BYTES = 512 * 1024;
/** Codes that say there was no close frame cannot be sent. */
const [NO_CODE, NO_CLOSE_FRAME, INTERNAL_ERROR] = [1005, 1006, 1011];

/** A message as it came. */
export interface RawMessage {
  message: Buffer;
  isBinary: boolean;
}

/** Whether another process has passed this socket on. */
export function isRelayed(request: FastifyRequest): boolean {
  return request.headers[RELAYED] !== undefined;
}

/**
 * Opens the socket of a request at the process that carries its call.
 * @param address host and port of that process
 * @throws Problem that the process has refused it with; `unavailable` where it cannot be reached
 */
export async function openAt(
  address: string,
  request: FastifyRequest,
  { openSocket, log }: { openSocket: OpenSocket; log: Log },
): Promise<OutboundSocket> {
  try {
    return await openSocket({ url: `ws://${address}${request.url}`, headers: headersOf(request.headers) });
  } catch (error) {
    if (error instanceof SocketRefused) throw refusalIn(error);
    log.warn({ err: error, address }, 'the process that carries a call was not reached: see NODE_ADDRESS');
    throw new Problem('unavailable', 'The process that carries this call cannot be reached.');
  }
}

/**
 * Passes everything on between a socket of this process and the same one at the process that carries its call, until
 * either is closed. Messages of the near socket are for `toFar` of the result.
 */
export function passOn(near: WebSocket, far: OutboundSocket): { toFar(raw: RawMessage): void } {
  near.once('close', () => far.close());
  void passBack(near, far);
  return {
    toFar: ({ message, isBinary }) => {
      if (far.unsentBytes > MOST_UNREAD_BYTES) near.close(TOO_SLOW.code, TOO_SLOW.reason);
      else far.send(isBinary ? message : message.toString());
    },
  };
}

async function passBack(near: WebSocket, far: OutboundSocket): Promise<void> {
  for (let said = await far.next(); said !== null; said = await far.next()) {
    if (near.readyState !== near.OPEN) break;
    if (near.bufferedAmount > MOST_UNREAD_BYTES) return near.close(TOO_SLOW.code, TOO_SLOW.reason);
    if ('text' in said) near.send(said.text);
    else near.send(said.bytes, { binary: true });
  }
  const { code, reason } = far.end ?? { code: NO_CODE, reason: '' };
  if (code === NO_CODE) near.close();
  else near.close(code === NO_CLOSE_FRAME ? INTERNAL_ERROR : code, truncateReason(reason));
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  // What a browser shows as a sub-protocol is a header again.
  const shown = socketCredentialOf({
    headers: { 'sec-websocket-protocol': headers['sec-websocket-protocol'] },
  });
  const credential = shown?.kind === 'principal' ? shown.credentials[0] : shown?.token;
  return {
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...Object.fromEntries(passed),
    [RELAYED]: '1',
  };
}

const refusal = z.object({
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
  message: z.string(),
});

function refusalIn({ status, body }: SocketRefused): Problem {
  try {
    const { code, message } = refusal.parse(JSON.parse(body));
    return new Problem(code, message);
  } catch {
    return new Problem('unavailable', `The process that carries this call has refused it with ${status}.`);
  }
}
