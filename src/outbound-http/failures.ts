import { errors } from 'undici';
import { BlockedAddress } from './address-guard.js';
import type { OutcomeName } from './outcome.js';
import { NameNotFound } from './resolver.js';

/** What the codes of Node's and undici's errors mean for a delivery; prefixes, the first that fits holds. */
const BY_CODE: readonly (readonly [prefix: string, outcome: OutcomeName])[] = [
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

/** undici says so when it gets an interim answer that nobody asked for. */
const BAD_RESPONSE = /bad (response|upgrade)/;

/** Which outcome an error of the connection or of its protocol is. What is not known ended the connection. */
export function outcomeOfError(error: unknown): OutcomeName {
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (error instanceof NameNotFound) return 'dns';
  // Several addresses were tried, each with an error of its own.
  if (error instanceof AggregateError && error.errors.length > 0) return outcomeOfError(error.errors[0]);
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (error instanceof errors.HTTPParserError || BAD_RESPONSE.test(String(message))) return 'bad_response';
  return BY_CODE.find(([prefix]) => String(code).startsWith(prefix))?.[1] ?? 'reset';
}
