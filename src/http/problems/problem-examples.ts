import { fieldProblem, Problem, type ProblemCode } from '#kernel/errors/errors.js';
import { toProblemBody, type ProblemBody } from './problem-body.js';

/* Examples of error bodies for the OpenAPI document; `describeProblems` adds them to the error responses. */

const REQUEST_ID = 'req_01kakb8x6te1tr7m3qf0c9w2zd';

/** The example of each status: its code, and the message. */
const BY_STATUS: Readonly<Record<number, readonly [ProblemCode, string]>> = {
  400: ['validation_error', 'The request cannot be read.'],
  401: ['unauthorized', "Send a valid token as 'Authorization: Bearer …' or a key as 'x-api-key'."],
  403: ['forbidden', "This requires credentials with the scope 'write'."],
  404: ['agent_not_found', 'There is no agent with this id.'],
  // `BrokenRequests` sends 408 and 431, always with this code.
  408: ['validation_error', 'The request did not arrive whole in time.'],
  409: ['invalid_state', 'The current state does not allow this.'],
  412: ['precondition_failed', 'The file is not the one that the request names.'],
  413: ['payload_too_large', 'The body is larger than this endpoint accepts.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
  416: ['range_not_satisfiable', 'The requested range is outside the file.'],
  422: ['idempotency_key_reused', 'This Idempotency-Key was used with another request.'],
  429: ['rate_limited', 'More than 600 requests in a minute.'],
  431: ['validation_error', 'The address or the headers of the request are too long.'],
  500: ['internal_error', 'The service failed.'],
  503: ['unavailable', 'The service is shutting down; try again.'],
};

/** The examples of a 404 by a part of the path: the code, and the message. The first match counts. */
const NOT_FOUND: readonly (readonly [string, ProblemCode, string])[] = [
  ['/batch/scheduled-calls/', 'scheduled_call_not_found', 'There is no scheduled call with this id.'],
  ['/recording', 'recording_not_found', 'The call has no recording.'],
  ['{call_id}', 'call_not_found', 'There is no call with this id.'],
  ['{batch_id}', 'batch_not_found', 'There is no batch with this id.'],
  ['{schedule_id}', 'scheduled_call_not_found', 'There is no scheduled call with this id.'],
  ['{number_id}', 'phone_number_not_found', 'There is no phone number with this id.'],
  ['/api/numbers/', 'phone_number_not_found', 'The path names no phone number.'],
  ['{suppression_id}', 'suppression_not_found', 'There is no such entry on the suppression list.'],
  ['{key_id}', 'api_key_not_found', 'There is no API key with this id.'],
  ['{delivery_id}', 'delivery_not_found', 'There is no delivery with this id.'],
  ['{webhook_id}', 'webhook_not_found', 'There is no webhook with this id.'],
];

/** An example for a status at a path; undefined for a status that is not an error. */
export function problemExample(status: number, path: string): ProblemBody | undefined {
  const absent = status === 404 ? NOT_FOUND.find(([part]) => path.includes(part)) : undefined;
  const [code, message] = absent ? ([absent[1], absent[2]] as const) : (BY_STATUS[status] ?? []);
  if (code === undefined || message === undefined) return undefined;
  // The code of 408 and 431 has another status of its own.
  return { ...toProblemBody(new Problem(code, message), REQUEST_ID), status };
}

/** The error body for one invalid field. Its message is a sentence after the name of the field: `is required`. */
export function fieldExample(
  code: ProblemCode,
  field: string,
  [message, detailCode]: readonly [string, string?],
): ProblemBody {
  return toProblemBody(fieldProblem(code, field, message, detailCode), REQUEST_ID);
}
