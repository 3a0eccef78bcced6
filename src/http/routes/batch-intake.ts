import type { CountryCode } from 'libphonenumber-js';
import type { BatchReader } from '../../batches/batch-reader.js';
import type { Intake, IntakeTask } from '../../batches/intake.js';
import { Problem } from '../../kernel/errors.js';
import { toProblem } from '../validation.js';

/** Reads what asks for a batch, off this thread. @throws Problem that names every bad field */
export async function takeIn(
  reader: BatchReader,
  task: Omit<IntakeTask, 'region'>,
  region: CountryCode | undefined,
): Promise<Intake> {
  const answer = await reader.read({ ...task, region });
  if (answer.kind === 'read') return answer.intake;
  // What threads hand over are plain issues, as validation knows them.
  if (answer.kind === 'invalid') throw toProblem(answer.issues as Parameters<typeof toProblem>[0]);
  const { code, message } = answer;
  if (code === 'invalid_json') throw new Problem(code, message);
  throw new Problem(code, `body ${message}.`, {
    details: [{ field: 'body', code: 'invalid_value', message }],
  });
}
