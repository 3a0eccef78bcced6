import { readRetryAfter } from '#kernel/input/retry-after.js';
import { ModelError, type ModelFailure } from './language-model.js';

/*
 * Makes a `ModelError` of everything that can go wrong with a model's provider: refusals over HTTP, errors inside a
 * stream, broken connections. Used by the adapters in src/providers.
 */

/** A provider's refusal over HTTP. */
export interface Refusal {
  provider: string;
  status: number;
  header(name: string): string | null;
  /** The part of the body that was read; it may not be JSON. */
  body: string;
  /** Time of arrival (epoch milliseconds). */
  nowMs: number;
}

/** A provider's description of an error, by codes that do not depend on the language. */
interface ErrorFacts {
  codes: string[];
  /** Only inspected, never shown: it may repeat the request. */
  message: string;
  /** The field of the request that is wrong. */
  field: string | null;
  status: number | null;
  retryAfterMs: number | null;
}

/** Longest wait that a listening caller can bear. */
const SHORT_WAIT_MS = 1_000;
/** HTTP statuses after which the same request may succeed; 529 is Anthropic's "overloaded". */
const RETRYABLE_STATUSES = new Set([408, 409, 425, 500, 502, 503, 504, 529]);

/** The failure that a provider's code, type or status word means; {@link failureOf} weighs it with the HTTP status. */
const FAILURE_BY_CODE: Readonly<Record<string, ModelFailure>> = {
  insufficient_quota: 'quota',
  quota_exceeded: 'quota',
  enforced_spend_limit_reached: 'quota',
  billing_hard_limit_reached: 'quota',
  billing_error: 'quota',
  insufficient_credits: 'quota',
  account_deactivated: 'refused_credentials',
  invalid_api_key: 'refused_credentials',
  api_key_invalid: 'refused_credentials',
  authentication_error: 'refused_credentials',
  permission_error: 'refused_credentials',
  permission_denied: 'refused_credentials',
  unauthenticated: 'refused_credentials',
  model_not_found: 'unknown_model',
  not_found_error: 'unknown_model',
  not_found: 'unknown_model',
  context_length_exceeded: 'context_too_long',
  rate_limit_error: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  resource_exhausted: 'rate_limited',
  invalid_request_error: 'bad_request',
  invalid_argument: 'bad_request',
  content_filter: 'bad_request',
  overloaded_error: 'unavailable',
  api_error: 'unavailable',
  server_error: 'unavailable',
  internal: 'unavailable',
  unavailable: 'unavailable',
  timeout_error: 'unavailable',
};

/** The failure that an HTTP status means, unless a code of the provider says more ({@link failureOf}). */
const FAILURE_BY_STATUS: Readonly<Record<number, ModelFailure>> = {
  401: 'refused_credentials',
  402: 'quota',
  403: 'refused_credentials',
  404: 'unknown_model',
  429: 'rate_limited',
};

/** Explanations of the failures that the operator or the owner of the agent can remedy. */
const EXPLANATIONS: Readonly<Partial<Record<ModelFailure, string>>> = {
  refused_credentials: 'the key is wrong, or may not use this model',
  unknown_model: 'the model is not known there',
  quota: 'the account has no credit left',
  rate_limited: 'too many requests',
  context_too_long: 'the call has grown too long for the model',
};

/** Messages of providers that report these failures only in prose. */
const SAYS_TOO_LONG =
  /maximum context length|prompt is too long|context window|input token count.{0,40}exceeds/i;
const SAYS_NO_CREDIT = /credit balance|insufficient (credits?|balance|funds)|out of credits?/i;

/** The error for a request that a provider refused over HTTP. */
export function refusalError(refusal: Refusal): ModelError {
  const { provider, status } = refusal;
  const facts = factsOf(parsed(refusal.body));
  const failure = failureOf({ ...facts, status });
  const explanation = EXPLANATIONS[failure];
  const reason = explanation === undefined ? '' : `: ${explanation}`;
  const message = `${provider} refused the request with HTTP ${status}${reason}`;
  const waitMs = waitOf(refusal) ?? facts.retryAfterMs;
  return new ModelError(withCodes(message, facts), {
    provider,
    failure,
    retryable: isRetryable(failure, status, waitMs, refusal.header('x-should-retry')),
    retryAfterMs: waitMs,
  });
}

/**
 * The error for an error object inside a stream, in place of an event of the answer.
 * @param error the provider's error object, of any shape
 */
export function streamedError(provider: string, error: unknown): ModelError {
  const facts = factsOf({ error });
  const failure = failureOf(facts);
  return new ModelError(withCodes(`${provider} broke off its answer with an error`, facts), {
    provider,
    failure,
    retryable: isRetryable(failure, facts.status ?? 500, facts.retryAfterMs, null),
    retryAfterMs: facts.retryAfterMs,
  });
}

/**
 * The error for a provider that was not reached, or whose connection broke: refused, reset, DNS, TLS. A `ModelError`
 * among the causes is returned itself; an address that the SSRF guard blocks is a `bad_request`.
 */
export function connectionError(provider: string, error: unknown): ModelError {
  const modelError = modelErrorIn(error);
  if (modelError !== null) return modelError;
  const isBlocked = chainOf(error).some(({ name }) => name === 'BlockedAddress');
  if (isBlocked)
    return new ModelError(`${provider}: the address is not one that may be asked`, {
      provider,
      failure: 'bad_request',
      retryable: false,
    });
  const code = chainOf(error).flatMap((cause) => ('code' in cause ? [String(cause.code)] : []))[0];
  return new ModelError(`${provider} was not reached (${code ?? 'no connection'})`, {
    provider,
    failure: 'unavailable',
    retryable: true,
  });
}

/** The error for a stream that ended, or broke, before the mark that ends an answer. */
export function cutError(provider: string): ModelError {
  return new ModelError(`${provider} ended its answer in the middle`, {
    provider,
    failure: 'cut',
    retryable: true,
  });
}

/**
 * The error for an answer that does not follow the protocol.
 * @param problem the problem, as the rest of a sentence that begins with the provider's name; without words of the call
 */
export function badAnswer(provider: string, problem: string): ModelError {
  return new ModelError(`${provider} ${problem}`, { provider, failure: 'bad_answer', retryable: true });
}

/** The {@link ModelError} inside an error that a library threw; null if there is none. */
export function modelErrorIn(thrown: unknown): ModelError | null {
  return chainOf(thrown).find((error) => error instanceof ModelError) ?? null;
}

/** An error and its causes. */
function chainOf(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let error = thrown; error instanceof Error && !chain.includes(error); error = error.cause)
    chain.push(error);
  return chain;
}

/**
 * The kind of failure by the provider's codes and prose and by the HTTP status. Quota, a too long context and refused
 * credentials go by code or prose before the status; other codes count only for a status without a meaning of its own.
 */
function failureOf({
  codes,
  message,
  status,
}: Pick<ErrorFacts, 'codes' | 'message' | 'status'>): ModelFailure {
  const failuresByCode = codes.flatMap((code) => FAILURE_BY_CODE[code] ?? []);
  // A quota error often carries a rate-limit code too; the more lasting reason counts.
  if (failuresByCode.includes('quota') || SAYS_NO_CREDIT.test(message)) return 'quota';
  if (failuresByCode.includes('context_too_long') || SAYS_TOO_LONG.test(message)) return 'context_too_long';
  if (failuresByCode.includes('refused_credentials')) return 'refused_credentials';
  const byStatus = status === null ? undefined : FAILURE_BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  // Of several codes, a general one such as `invalid_request_error` says least.
  if (failuresByCode[0] !== undefined)
    return failuresByCode.find((failure) => failure !== 'bad_request') ?? failuresByCode[0];
  if (status !== null && status >= 400 && status < 500 && !RETRYABLE_STATUSES.has(status))
    return 'bad_request';
  return 'unavailable';
}

/**
 * True if the same request may succeed at once, or after a wait that a caller can bear.
 * @param shouldRetry the provider's header `x-should-retry`: `true`, `false`, or null if missing
 */
function isRetryable(
  failure: ModelFailure,
  status: number,
  waitMs: number | null,
  shouldRetry: string | null,
): boolean {
  if (failure === 'rate_limited') return waitMs !== null && waitMs <= SHORT_WAIT_MS;
  if (failure !== 'unavailable' || shouldRetry === 'false') return false;
  return shouldRetry === 'true' || RETRYABLE_STATUSES.has(status) || status >= 500;
}

/** The wait that the headers ask for, in milliseconds; null for none. */
function waitOf({ header, nowMs }: Refusal): number | null {
  const exact = Number(header('retry-after-ms') ?? Number.NaN);
  return Number.isFinite(exact) ? exact : readRetryAfter(header('retry-after'), nowMs);
}

/**
 * The facts in a provider's error body. Its shape depends on the provider: `{ error: { code, type, param, message } }`,
 * the same error inside one more `error`, an array of them (Gemini), or `{ error: 'prose' }`.
 */
function factsOf(body: unknown): ErrorFacts {
  // Gemini wraps its error in an array if a stream was requested.
  const outer = objectOf(Array.isArray(body) ? body[0] : body);
  const inner = typeof outer['error'] === 'string' ? { message: outer['error'] } : objectOf(outer['error']);
  const error = inner['error'] === undefined ? inner : objectOf(inner['error']);
  const details = Array.isArray(error['details'])
    ? error['details'].map(objectOf)
    : [objectOf(error['details'])];
  // Each holds a code or an HTTP status, depending on the provider.
  const codeFields = [error['code'], error['type'], error['status']];
  const inDetails = details.flatMap((detail) => [detail['error_code'], detail['reason']]);
  const status = codeFields
    .map(Number)
    .find((value) => Number.isInteger(value) && value >= 400 && value < 600);
  // A `retryDelay` is written as "3.5s".
  const delaySeconds = details
    .map((detail) => /^([\d.]+)s$/.exec(String(detail['retryDelay']))?.[1])
    .find(Boolean);
  return {
    codes: [...codeFields, ...inDetails].flatMap((code) =>
      typeof code === 'string' ? [code.toLowerCase()] : [],
    ),
    message: typeof error['message'] === 'string' ? error['message'] : '',
    field: typeof error['param'] === 'string' ? error['param'] : null,
    status: status ?? null,
    retryAfterMs: delaySeconds === undefined ? null : Math.round(Number(delaySeconds) * 1_000),
  };
}

/**
 * A message with the provider's codes and field names in brackets. The provider's prose is left out: it may repeat the
 * key, or words of the call.
 */
function withCodes(message: string, { codes, field }: ErrorFacts): string {
  const words = [...new Set(codes)].concat(field === null ? [] : [`field ${field}`]);
  const safe = words.filter((word) => /^[\w .[\]-]{1,60}$/.test(word));
  return safe.length === 0 ? message : `${message} (${safe.join(', ')})`;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
