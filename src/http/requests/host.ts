import type { IncomingMessage } from 'node:http';
import { fieldProblem, type Problem } from '#kernel/errors/errors.js';

/** A `Host` that is accepted: any text, also empty, without blanks and the characters `/`, `?`, `#`, `@` and `\`. */
const HOST = /^[^\s/?#@\\]*$/;
const FIELD = 'header.host';

/**
 * The problem with the `Host` header of a request, if any; `beginAnswer` checks every request. HTTP/1.1 requires the
 * header, HTTP/1.0 does not. No version allows two headers or an invalid value (RFC 9112, 3.2).
 */
export function hostProblem(request: IncomingMessage): Problem | undefined {
  const hosts = hostsOf(request.rawHeaders);
  if (hosts.length === 0 && request.httpVersion === '1.1')
    return fieldProblem('validation_error', FIELD, 'is required', 'required');
  if (hosts.length > 1) return fieldProblem('validation_error', FIELD, 'must be sent once', 'invalid_value');
  if (hosts.every((host) => HOST.test(host))) return undefined;
  return fieldProblem('validation_error', FIELD, 'is not the name of a host', 'invalid_value');
}

/** The values of all `Host` headers: Node's parsed headers have only the first. */
function hostsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_text, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === 'host');
}
