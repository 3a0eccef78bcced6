import type { CountryCode } from 'libphonenumber-js';
import type { BatchReader } from '../../batches/reading/batch-reader.js';
import type { Intake, IntakeAnswer, IntakeTask } from '../../batches/intake/intake.js';
import { fieldProblem, Problem } from '../../kernel/errors/errors.js';
import { largeBodyOf } from '../requests/large-bodies.js';
import { toProblem } from '../schemas/validation.js';

export interface BatchIntakeParts {
  reader: BatchReader;
  region?: CountryCode | undefined;
}

/** Reads a JSON body that was passed on unread. @throws as {@link takeIn} */
export function takeInJson(
  body: unknown,
  manner: IntakeTask['manner'],
  { reader, region }: BatchIntakeParts,
): Promise<Intake> {
  return takeIn(reader, { manner, format: 'json', body: largeBodyOf(body), fields: {} }, region);
}

/** Reads what asks for a batch, off this thread. @throws Problem that names every bad field */
export async function takeIn(
  reader: BatchReader,
  task: Omit<IntakeTask, 'region'>,
  region: CountryCode | undefined,
): Promise<Intake> {
  const answer = await reader.read({ ...task, region });
  if (answer.kind === 'read') return answer.intake;
  // What threads hand over are plain issues, as validation knows them.
  if (answer.kind === 'invalid') throw refusal(answer);
  const { code, message } = answer;
  if (code === 'invalid_json') throw new Problem(code, message);
  throw fieldProblem(code, 'body', message, 'invalid_value');
}

function refusal({ issues, badRows }: Extract<IntakeAnswer, { kind: 'invalid' }>): Problem {
  const problem = toProblem(issues as Parameters<typeof toProblem>[0]);
  if (badRows === '') return problem;
  const all = { field: 'to_number', code: 'invalid_rows', message: `has invalid rows: ${badRows}` };
  return new Problem(problem.code, problem.message, { details: [...problem.details, all] });
}
