import { redactUrl } from './redact-url.js';

/** A request did not get its whole response within the time that it had. */
export class RequestTimeout extends Error {
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the response was not there in time');
  }
}

/** A request failed. The message may be shown: it has neither the query of the URL nor what was sent. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  /** Of Node, of undici (`UND_ERR_…`) or of ours; null when the cause has none. */
  readonly code: string | null;
  /** Whether no byte of the request can have reached the server: to repeat it is safe. */
  readonly isUnsent: boolean;

  constructor(request: { method: string; url: string }, cause: unknown) {
    const { code, message } = firstOf(cause);
    super(`${request.method} ${redactUrl(request.url)}: ${message}`, { cause });
    this.code = code ?? null;
    this.isUnsent = wasNeverSent(cause);
  }
}

/** Errors that mean that there was no connection, unless they befell one that was there already. */
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'blocked_address',
  'no_address',
]);

/** Whether a request that failed with this error cannot have left. */
export function wasNeverSent(error: unknown): boolean {
  // Several addresses were tried, each with an error of its own.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'connect') return true;
  // A network that fails under a request that was sent has the same code as one that was never there.
  const wasConnected = syscall === 'read' || syscall === 'write';
  return code !== undefined && NO_CONNECTION.has(code) && !wasConnected;
}

function firstOf(error: unknown): NodeJS.ErrnoException {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first : new Error(String(first ?? error));
}
