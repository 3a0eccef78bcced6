import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import type { Refused } from '#kernel/input/json-body.js';
import { toProblem } from './validation.js';

/** What a body that another thread could not take is to the caller. */
export function refusedBody(refused: Refused): Problem {
  // What threads hand over are plain issues, as validation knows them.
  if (refused.kind === 'invalid') return toProblem(refused.issues as Parameters<typeof toProblem>[0]);
  const { code, message } = refused;
  if (code === 'invalid_json') return new Problem(code, message);
  return fieldProblem(code, 'body', message, 'invalid_value');
}
