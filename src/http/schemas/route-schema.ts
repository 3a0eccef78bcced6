import type { z } from 'zod';
import { problemBody } from '#http/problems/problem-body.js';

/**
 * The error statuses of routes, with their descriptions in the OpenAPI document. 405 is missing: no route answers it.
 */
const PROBLEM_STATUSES = {
  400: 'The request is malformed or has invalid fields; every invalid field is named.',
  401: 'Credentials are missing or invalid.',
  403: 'The credentials are valid but do not allow this.',
  404: 'It does not exist, or belongs to another workspace.',
  408: 'The request did not arrive whole in time.',
  409: 'The current state does not allow this, or a request with the same idempotency key is running.',
  412: 'The file is not the one that `If-Match` or `If-Unmodified-Since` names.',
  413: 'The request body is too large.',
  415: 'The content type of the request body is not supported here.',
  416: 'The requested range is outside the file.',
  422: 'The idempotency key was used before with a different request.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  431: 'The address or the headers of the request are too long.',
  500: 'The service failed.',
  503: 'The service is shutting down or overloaded; `Retry-After` says when to try again.',
} as const;
export type ProblemStatus = keyof typeof PROBLEM_STATUSES;

/** The documented response of one error status. */
export interface ProblemResponse {
  description: string;
  content: { 'application/json': { schema: typeof problemBody } };
}

/**
 * Response schemas of errors particular to a route: `response: { 200: call, ...problems(404, 409) }`.
 * `route-defaults.ts` adds the errors that all routes of a kind share; naming them here as well does no harm. Responses
 * with these statuses must be made by `sendProblem`: Fastify's own error body does not match the schema and would turn
 * every 400 into a 500.
 */
export function problems<Status extends ProblemStatus>(
  ...statuses: readonly Status[]
): Record<Status, ProblemResponse> {
  const responses = statuses.map((status): [number, ProblemResponse] => [
    status,
    {
      description: PROBLEM_STATUSES[status],
      content: { 'application/json': { schema: problemBody } },
    },
  ]);
  return Object.fromEntries(responses) as Record<Status, ProblemResponse>;
}

/** A success response with its own description in the document: `200: answer('The call.', call)`. */
export function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}
