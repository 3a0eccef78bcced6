import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { Problem, PROBLEMS, type ProblemCode, type ProblemDetail } from '#kernel/errors/errors.js';
import { fieldOf, isMissing, messageOf } from '#kernel/input/issue-message.js';
import { compiledOnUse } from './compiled-schema.js';

type Issue = z.core.$ZodIssue;

/** Prefixes of field paths by part of the request; the body has none. */
const PREFIXES: Record<string, string> = { querystring: 'query', params: 'path', headers: 'header' };
/** The most invalid fields that one error names. */
const MOST_DETAILS = 100;

/**
 * The server's validator of requests: validates one part of a request (body, query, path, headers) by its zod schema.
 * One error names all invalid fields of that part.
 */
export const validateWithZod: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  const prefix = PREFIXES[httpPart] ?? '';
  const compiled = compiledOnUse(schema);
  return (data) => {
    const result = compiled().safeParse(data);
    return result.success ? { value: result.data } : { error: toProblem(result.error.issues, prefix) };
  };
};

/** The problem for the issues that zod found; also for bodies that another thread validates (`refused-body.ts`). */
export function toProblem(issues: readonly Issue[], prefix = ''): Problem {
  const details = withoutFollowing(issues)
    .flatMap((issue) => toDetails(issue, prefix))
    .slice(0, MOST_DETAILS);
  const code = details.map((detail) => detail.code).find(isProblemOfFields) ?? 'validation_error';
  return new Problem(code, sentenceOf(details), { details });
}

/**
 * Removes issues that follow from another issue of the same field: a text instead of a list is also "too long", and a
 * number outside its field's bounds may also be outside JavaScript's.
 */
function withoutFollowing(issues: readonly Issue[]): Issue[] {
  const ofWrongType = new Set<string>();
  // JavaScript's bounds are checked before the field's: of two issues the map keeps the later one, which is narrower.
  const bounds = new Map(issues.filter(isOfBound).map((issue) => [`${issue.code} ${placeOf(issue)}`, issue]));
  return issues.filter((issue) => {
    const place = placeOf(issue);
    if (ofWrongType.has(place)) return false;
    if (issue.code === 'invalid_type') ofWrongType.add(place);
    return !isOfBound(issue) || bounds.get(`${issue.code} ${place}`) === issue;
  });
}

/** True for a value outside its bounds. */
function isOfBound({ code }: Issue): boolean {
  return code === 'too_big' || code === 'too_small';
}

function placeOf({ path }: Issue): string {
  return JSON.stringify(path.map(String));
}

/** True for the code of a field error that is also the code of a problem, such as `invalid_phone_number`. */
function isProblemOfFields(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code) && PROBLEMS[code as ProblemCode].status === 400;
}

/** The details of an issue: one for each unknown field, otherwise one. */
function toDetails(issue: Issue, prefix: string): ProblemDetail[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ field: fieldOf(issue.path, prefix), code: codeOf(issue), message: messageOf(issue) }];
  return issue.keys.map((key) => ({
    field: fieldOf([...issue.path, key], prefix),
    code: 'unknown_field',
    message: issue.message.startsWith('Unrecognized') ? 'is not known here' : issue.message,
  }));
}

/** The code of a detail: `required`, zod's own code, or the code that a custom check names. */
function codeOf(issue: Issue): string {
  if (isMissing(issue)) return 'required';
  if (issue.code !== 'custom') return issue.code;
  const code: unknown = issue.params?.['code'];
  return typeof code === 'string' ? code : 'invalid_value';
}

/** The message for people: `to_phone is required; name is too long; and 3 more.` */
function sentenceOf(details: readonly ProblemDetail[]): string {
  const named = details.slice(0, 5).map((detail) => `${detail.field} ${detail.message}`);
  const more = details.length > named.length ? `; and ${details.length - named.length} more` : '';
  return `${named.join('; ')}${more}.`;
}
