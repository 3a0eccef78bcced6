/**
 * Every error of the API by its `code`, with its HTTP status. `sentence` is the fixed text of the `error`
 * field.
 */
export const PROBLEMS = {
  invalid_json: { status: 400, sentence: 'request body is not valid JSON' },
  validation_error: { status: 400, sentence: 'request validation failed' },
  invalid_phone_number: { status: 400, sentence: 'invalid phone number format' },
  invalid_time: { status: 400, sentence: 'invalid time' },
  invalid_cron_expression: { status: 400, sentence: 'invalid cron expression' },
  invalid_timezone: { status: 400, sentence: 'invalid time zone' },
  invalid_cursor: { status: 400, sentence: 'invalid cursor' },
  invalid_webhook_url: { status: 400, sentence: 'webhook url must use https' },
  blocked_address: { status: 400, sentence: 'address is not allowed' },
  unauthorized: { status: 401, sentence: 'missing or invalid credentials' },
  forbidden: { status: 403, sentence: 'credentials do not allow this' },
  number_not_allowed: { status: 403, sentence: 'number is not allowed' },
  agent_not_found: { status: 404, sentence: 'agent does not exist' },
  call_not_found: { status: 404, sentence: 'call does not exist' },
  batch_not_found: { status: 404, sentence: 'batch does not exist' },
  scheduled_call_not_found: { status: 404, sentence: 'scheduled call not found' },
  phone_number_not_found: { status: 404, sentence: 'phone number does not exist' },
  suppression_not_found: { status: 404, sentence: 'number is not suppressed' },
  api_key_not_found: { status: 404, sentence: 'api key does not exist' },
  webhook_not_found: { status: 404, sentence: 'webhook does not exist' },
  delivery_not_found: { status: 404, sentence: 'delivery does not exist' },
  secret_not_found: { status: 404, sentence: 'secret does not exist' },
  recording_not_found: { status: 404, sentence: 'recording does not exist' },
  route_not_found: { status: 404, sentence: 'route does not exist' },
  method_not_allowed: { status: 405, sentence: 'method not allowed' },
  provider_not_configured: { status: 409, sentence: 'a provider of the agent is not configured' },
  invalid_state: { status: 409, sentence: 'current state does not allow this' },
  already_exists: { status: 409, sentence: 'already exists' },
  idempotency_in_progress: { status: 409, sentence: 'a request with this idempotency key is still running' },
  precondition_failed: { status: 412, sentence: 'precondition is not met' },
  payload_too_large: { status: 413, sentence: 'request body is too large' },
  unsupported_media_type: { status: 415, sentence: 'unsupported media type' },
  range_not_satisfiable: { status: 416, sentence: 'requested range cannot be served' },
  idempotency_key_reused: { status: 422, sentence: 'idempotency key was used with another request' },
  rate_limited: { status: 429, sentence: 'too many requests' },
  internal_error: { status: 500, sentence: 'internal error' },
  unavailable: { status: 503, sentence: 'service is not available now' },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** An error of one field; `field` is a path such as `to_number[1].phone_number` or `query.limit`. */
export interface ProblemDetail {
  field: string;
  /** The code of the problem, or a narrower one such as `required`. */
  code: string;
  message: string;
}

/**
 * An error for the client of the API, thrown by any module; the HTTP server turns it into the response. Clients see all
 * its texts, which therefore must not contain secrets, stacks, SQL or file paths.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: readonly ProblemDetail[];
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  /** @param message a sentence for people; the field `message` of the response */
  constructor(
    code: ProblemCode,
    message: string,
    options: { details?: readonly ProblemDetail[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** True for an error after which the same request may succeed later, such as a busy or unreachable database. */
export function isUnavailable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'unavailable';
}

/**
 * A problem with one field of a request.
 * @param message continues after the field's name: "must be in the future"
 * @param detailCode the code of the detail, where it is narrower than that of the problem
 */
export function fieldProblem(
  code: ProblemCode,
  field: string,
  message: string,
  detailCode: string = code,
): Problem {
  return new Problem(code, `${field} ${message}.`, { details: [{ field, code: detailCode, message }] });
}
