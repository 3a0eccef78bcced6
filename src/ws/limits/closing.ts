import { StoppingProblem } from '#calls/live/streams/stopping-problem.js';
import { Problem } from '#kernel/errors/errors.js';
import { ProtocolError } from '#media/protocols/stream-protocol.js';

/** The close of a WebSocket: its code, and a reason that the peer may see. docs/audio-socket.md lists the codes. */
export interface Closing {
  code: 1000 | 1001 | 1008 | 1009 | 1011 | 1013 | 4404;
  reason: string;
}

/** No valid credential came within the handshake. */
export const TOKEN_MISSING: Closing = { code: 1008, reason: 'missing or invalid credentials' };
/** The stream did not begin in time; the credential is known, or is checked with the stream's start. */
export const NOT_BEGUN: Closing = { code: 1008, reason: 'the stream did not begin' };
/** An unauthenticated peer sent more than `limitUnauthenticated` allows. */
export const TOO_MUCH: Closing = { code: 1009, reason: 'too much was sent before the stream began' };
/**
 * The peer does not read, and too much waits to be sent: the limits are in `SocketLine`, `ListenSocket` and `relay`.
 */
export const TOO_SLOW: Closing = { code: 1008, reason: 'the peer does not read what is sent' };
/** The process ends. */
export const SHUTTING_DOWN: Closing = { code: 1001, reason: 'the server is shutting down' };
const INTERNAL_ERROR: Closing = { code: 1011, reason: 'internal error' };

/** Limit of a close frame's reason (RFC 6455 section 5.5). */
const LONGEST_REASON_BYTES = 123;

/** The close code and reason for an error that ends a socket. */
export function closingFor(error: unknown): Closing {
  if (error instanceof ProtocolError) return { code: 1008, reason: truncateReason(error.message) };
  if (error instanceof StoppingProblem) return SHUTTING_DOWN;
  if (!(error instanceof Problem)) return INTERNAL_ERROR;
  switch (error.code) {
    case 'agent_not_found':
      return { code: 4404, reason: 'agent does not exist' };
    case 'unauthorized':
      return TOKEN_MISSING;
    case 'unavailable':
    case 'rate_limited':
      // No capacity, too many requests, or a part of the service is unavailable: a retry may succeed (1013, IANA's
      // registry).
      return { code: 1013, reason: truncateReason(error.message) };
    case 'internal_error':
      return INTERNAL_ERROR;
    default:
      return { code: 1008, reason: truncateReason(error.message) };
  }
}

/** Cuts a reason to the size of a close frame. */
export function truncateReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= LONGEST_REASON_BYTES) return reason;
  // A character cut in half decodes to a replacement character.
  return bytes.toString('utf8', 0, LONGEST_REASON_BYTES).replace(/\uFFFD$/, '');
}
