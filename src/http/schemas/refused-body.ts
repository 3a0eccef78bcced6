import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import type { Refused } from '#kernel/input/json-body.js';
import { toProblem } from './validation.js';

/**
 * The problem for a body that another thread has refused: a batch or a list of suppressions. It is the same as for a
 * small body that is parsed and validated on this thread.
 */
export function problemOfRefusedBody(refused: Refused): Problem {
  // The issues come from another thread as plain objects, with the fields of zod's issues.
  if (refused.kind === 'invalid') return toProblem(refused.issues as Parameters<typeof toProblem>[0]);
  const { code, message } = refused;
  if (code === 'invalid_json') return new Problem(code, message);
  return fieldProblem(code, 'body', message, 'invalid_value');
}
