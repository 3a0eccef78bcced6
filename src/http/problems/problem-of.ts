import { Problem, type ProblemCode } from '#kernel/errors/errors.js';

/** Errors of Fastify and its plugins by code: the problem, and the message for the client. */
const BY_CODE: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than this endpoint accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_json', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['route_not_found', 'The path is not a valid URL path.'],
  // No id is that long, so the id is unknown.
  FST_ERR_MAX_PARAM_LENGTH: ['route_not_found', 'There is nothing at this path.'],
};

/** The same by the HTTP status of the error, for codes that the table above lacks. */
const BY_STATUS: Readonly<Record<number, readonly [ProblemCode, string]>> = {
  400: ['validation_error', 'The request cannot be read.'],
  401: ['unauthorized', "Send a valid token as 'Authorization: Bearer …' or a key as 'x-api-key'."],
  403: ['forbidden', 'This is not allowed.'],
  404: ['route_not_found', 'There is nothing at this path.'],
  412: ['precondition_failed', 'The file is not the one that the request names.'],
  413: ['payload_too_large', 'The body is larger than this endpoint accepts.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
  416: ['range_not_satisfiable', 'The requested range is outside the file.'],
  429: ['rate_limited', 'Too many requests; try again later.'],
  503: ['unavailable', 'The service cannot do this now; try again.'],
};

/**
 * The problem to show to the client for an error of a request; null for an internal error, whose details are not shown.
 */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return null;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const kind = BY_CODE[String(code)] ?? BY_STATUS[Number(statusCode)];
  return kind ? new Problem(kind[0], kind[1]) : null;
}
