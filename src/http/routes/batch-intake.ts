import type { CountryCode } from 'libphonenumber-js';
import type { BatchReader } from '#batches/reading/batch-reader.js';
import type { Intake, IntakeTask } from '#batches/intake/intake.js';
import { Problem } from '#kernel/errors/errors.js';
import { largeBodyOf } from '#http/requests/large-bodies.js';
import { refusedBody } from '#http/schemas/refused-body.js';

export interface BatchIntakeParts {
  reader: BatchReader;
  region?: CountryCode | undefined;
}

/** Reads a JSON body that was passed on unparsed. @throws as {@link readBatchBody} */
export function readJsonBatchBody(
  body: unknown,
  mode: IntakeTask['mode'],
  { reader, region }: BatchIntakeParts,
): Promise<Intake> {
  return readBatchBody(reader, { mode, format: 'json', body: largeBodyOf(body), fields: {} }, region);
}

/** Reads a batch request on another thread. @throws Problem that names every invalid field */
export async function readBatchBody(
  reader: BatchReader,
  task: Omit<IntakeTask, 'region'>,
  region: CountryCode | undefined,
): Promise<Intake> {
  const answer = await reader.read({ ...task, region });
  if (answer.kind === 'read') return answer.intake;
  const problem = refusedBody(answer);
  if (answer.badRows === undefined) throw problem;
  const all = { field: 'to_number', code: 'invalid_rows', message: `has invalid rows: ${answer.badRows}` };
  throw new Problem(problem.code, problem.message, { details: [...problem.details, all] });
}
