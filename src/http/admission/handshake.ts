import type { IncomingHttpHeaders } from 'node:http';
import { fieldProblem, type Problem } from '#kernel/errors/errors.js';

/** The client's key: sixteen bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** The versions that the WebSocket library supports: 13 is the standard, 8 an earlier draft of it. */
export const SOCKET_VERSIONS = ['13', '8'];
/** The name of a subprotocol: a token of HTTP (RFC 9110, 5.6.2). */
const PROTOCOL_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The problem of a WebSocket handshake (RFC 6455, 4.2.1); undefined for a valid handshake. The `upgrades` plugin checks
 * it before the WebSocket library does, whose errors do not have the error shape of the API.
 */
export function handshakeProblem(headers: IncomingHttpHeaders): Problem | undefined {
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = headers;
  if (key === undefined) return headerProblem('sec-websocket-key', 'is required', 'required');
  if (!KEY.test(key)) return headerProblem('sec-websocket-key', 'must be 16 bytes in base 64, sent once');
  if (version === undefined) return headerProblem('sec-websocket-version', 'is required', 'required');
  if (!SOCKET_VERSIONS.includes(version))
    return headerProblem('sec-websocket-version', `must be ${SOCKET_VERSIONS.join(' or ')}`);
  const names = headers['sec-websocket-protocol']?.split(/[ \t]*,[ \t]*/) ?? [];
  if (!names.every((name) => PROTOCOL_NAME.test(name)))
    return headerProblem('sec-websocket-protocol', 'must be names with commas between them');
  if (new Set(names).size < names.length)
    return headerProblem('sec-websocket-protocol', 'must not have a name twice');
  return undefined;
}

function headerProblem(header: string, message: string, code = 'invalid_value'): Problem {
  return fieldProblem('validation_error', `header.${header}`, message, code);
}
