import { StoppingProblem } from '#calls/live/streams/stopping-problem.js';
import { Problem } from '#kernel/errors/errors.js';
import { ProtocolError } from '#media/protocols/stream-protocol.js';

/** How our side closes a socket: a WebSocket close code and a reason that may be shown to anybody. */
export interface Closing {
  code: 1000 | 1001 | 1008 | 1009 | 1011 | 1013 | 4404;
  reason: string;
}

/** The peer must say by what right it is here within this time. */
export const TOKEN_MISSING: Closing = { code: 1008, reason: 'missing or invalid credentials' };
/** Of a peer whose right is known, or to be looked at when its stream begins. */
export const NOT_BEGUN: Closing = { code: 1008, reason: 'the stream did not begin' };
export const TOO_MUCH: Closing = { code: 1009, reason: 'too much was sent before the stream began' };
export const TOO_SLOW: Closing = { code: 1008, reason: 'the peer does not read what is sent' };
export const SHUTTING_DOWN: Closing = { code: 1001, reason: 'the server is shutting down' };
const INTERNAL_ERROR: Closing = { code: 1011, reason: 'internal error' };

/** A close frame has room for this much reason. */
const LONGEST_REASON_BYTES = 123;

/** What an error means for the socket on which it happened. */
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
      // No room, asked too often, or a part of the service is away: to come again may help (1013, IANA's registry).
      return { code: 1013, reason: truncateReason(error.message) };
    case 'internal_error':
      return INTERNAL_ERROR;
    default:
      return { code: 1008, reason: truncateReason(error.message) };
  }
}

/** Cuts a reason to what a close frame can hold. */
export function truncateReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= LONGEST_REASON_BYTES) return reason;
  // A character cut in half comes out as a replacement character: drop it.
  return bytes.toString('utf8', 0, LONGEST_REASON_BYTES).replace(/\uFFFD$/, '');
}
