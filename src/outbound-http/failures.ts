/* The errors of outbound requests, and whether a failed request can have reached its server. */

/** The response was not complete before the deadline. */
export class RequestTimeout extends Error {
  // The name that the timeouts of `fetch` have.
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the response was not complete in time');
  }
}

/** A request failed. The message may be shown to clients: it has neither the query of the URL nor request content. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  /** A code of Node, of undici (`UND_ERR_…`) or of this module; null when the cause has none. */
  readonly code: string | null;
  /** True if no byte of the request can have reached the server. */
  readonly isUnsent: boolean;

  constructor(request: { method: string; url: string }, cause: unknown) {
    const { code, message } = firstError(cause);
    super(`${request.method} ${redactUrl(request.url)}: ${message}`, { cause });
    this.code = code ?? null;
    this.isUnsent = wasNeverSent(cause);
  }
}

/** Codes of requests that got no connection: name resolution, the SSRF guard or the connection attempt failed. */
const CONNECT_FAILURES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'blocked_address',
  'no_address',
]);

/** True if a request that failed with this error was not sent: it is safe to repeat. */
export function wasNeverSent(error: unknown): boolean {
  // A host with several addresses fails with one error for each.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect') return true;
  // EHOSTUNREACH and ENETUNREACH may also end an open connection, after the request was sent.
  const wasConnected = syscall === 'read' || syscall === 'write';
  return code !== undefined && CONNECT_FAILURES.has(code) && !wasConnected;
}

/** The error itself, or the first error of an attempt at several addresses. */
function firstError(error: unknown): NodeJS.ErrnoException {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first : new Error(String(first ?? error));
}

/** A URL for the message of an error: without credentials and query, where some APIs take their keys. */
function redactUrl(url: string): string {
  if (!URL.canParse(url)) return '(no URL)';
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`;
}
