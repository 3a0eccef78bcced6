import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import type { Refused } from '#kernel/input/json-body.js';
import { toProblem } from './validation.js';

/** The problem for a body that another thread refused. */
export function refusedBody(refused: Refused): Problem {
  // Threads return plain issues in the form of validation.
  if (refused.kind === 'invalid') return toProblem(refused.issues as Parameters<typeof toProblem>[0]);
  const { code, message } = refused;
  if (code === 'invalid_json') return new Problem(code, message);
  return fieldProblem(code, 'body', message, 'invalid_value');
}
