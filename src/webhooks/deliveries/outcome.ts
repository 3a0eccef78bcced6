/**
 * The consequence of an attempt for its delivery and its webhook; `DeliveryAttempter` derives the next state of the
 * delivery from it.
 */
export type Consequence =
  | 'delivered'
  | 'retry'
  /** No retry: it would fail in the same way. */
  | 'give_up'
  /** No retry, and the webhook is disabled. */
  | 'switch_off';

/** All outcomes of a finished attempt, by the names that the delivery log shows, with their consequences. */
export const OUTCOMES = {
  success: 'delivered',
  redirect: 'give_up',
  client_error: 'give_up',
  gone: 'switch_off',
  blocked_address: 'give_up',
  request_timeout: 'retry',
  too_early: 'retry',
  rate_limited: 'retry',
  server_error: 'retry',
  /** The response was not complete before the deadline. */
  timeout: 'retry',
  dns: 'retry',
  /** No connection: refused, no route, or not permitted. */
  unreachable: 'retry',
  tls: 'retry',
  /** The connection ended before the response did. */
  reset: 'retry',
  /** The response is not valid HTTP, or has an unknown status. */
  bad_response: 'retry',
} as const satisfies Record<string, Consequence>;

export type OutcomeName = keyof typeof OUTCOMES;
export const OUTCOME_NAMES = Object.keys(OUTCOMES) as [OutcomeName, ...OutcomeName[]];

/** Outcomes of particular status codes; all others depend on their class. */
const OUTCOME_BY_STATUS: Readonly<Record<number, OutcomeName>> = {
  408: 'request_timeout',
  410: 'gone',
  425: 'too_early',
  429: 'rate_limited',
};

/** The outcome of a response by its HTTP status. */
export function outcomeOfStatus(status: number): OutcomeName {
  const particular = OUTCOME_BY_STATUS[status];
  if (particular !== undefined) return particular;
  if (status >= 200 && status < 300) return 'success';
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400 && status < 500) return 'client_error';
  return status >= 500 && status < 600 ? 'server_error' : 'bad_response';
}

/** Outcomes by codes of errors of Node, undici and the SSRF guard; the first matching prefix counts. */
const OUTCOME_BY_CODE: readonly (readonly [prefix: string, outcome: OutcomeName])[] = [
  ['blocked_address', 'blocked_address'],
  ['no_address', 'dns'],
  ['ENOTFOUND', 'dns'],
  ['EAI_', 'dns'],
  ['ECONNREFUSED', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ENETDOWN', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['EPERM', 'unreachable'],
  ['EINVAL', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'bad_response'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'bad_response'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['EPROTO', 'tls'],
  ['CERT_', 'tls'],
  ['UNABLE_TO_', 'tls'],
  ['SELF_SIGNED_', 'tls'],
  ['DEPTH_ZERO_', 'tls'],
  ['HOSTNAME_MISMATCH', 'tls'],
  ['INVALID_CA', 'tls'],
  ['INVALID_PURPOSE', 'tls'],
  ['PATH_LENGTH_EXCEEDED', 'tls'],
];

/** undici's messages for an unexpected interim response (1xx). */
const BAD_RESPONSE = /bad (response|upgrade)/;

/** The outcome of an error of the connection or protocol; `reset` for an unknown error. */
export function outcomeOfError(error: unknown): OutcomeName {
  // A host with several addresses fails with one error for each address: the first counts.
  if (error instanceof AggregateError && error.errors.length > 0) return outcomeOfError(error.errors[0]);
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  if (name === 'HTTPParserError' || BAD_RESPONSE.test(String(message))) return 'bad_response';
  return OUTCOME_BY_CODE.find(([prefix]) => String(code).startsWith(prefix))?.[1] ?? 'reset';
}
