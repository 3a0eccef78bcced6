import type { CountryCode } from 'libphonenumber-js';
import type { FastifyRequest } from 'fastify';
import type { AgentRegions } from '#agents/definitions/agent-regions.js';
import type { Principal } from '#access/keys/principal.js';
import type { BatchReader } from '#batches/reading/batch-reader.js';
import type { Intake, IntakeTask } from '#batches/intake/intake.js';
import { Problem } from '#kernel/errors/errors.js';
import { largeBodyOf } from '#http/requests/large-bodies.js';
import { problemOfRefusedBody } from '#http/schemas/refused-body.js';

/** The dependencies of the routes that read the body of a batch. */
export interface BatchIntakeParts {
  reader: BatchReader;
  /** The countries of agents, for numbers without a country code. */
  agentRegions: AgentRegions;
  /** The country of such numbers if their agent has none. */
  region?: CountryCode | undefined;
}

/**
 * Reads the body of a batch in JSON, which Fastify has left unparsed (`acceptLargeBodies`).
 * @param mode `strict` refuses a batch with an invalid row, `lenient` skips the row
 * @throws as {@link readBatchBody}
 */
export function readJsonBatchBody(
  { body, principal }: Pick<FastifyRequest, 'body' | 'principal'>,
  mode: IntakeTask['mode'],
  parts: BatchIntakeParts,
): Promise<Intake> {
  const task = { mode, format: 'json' as const, body: largeBodyOf(body), fields: {} };
  return readBatchBody(task, principal, parts);
}

/**
 * Reads the body of a batch, a table or JSON, on another thread, since it may have thousands of rows. Used by the
 * import and the preflight; {@link readJsonBatchBody} prepares it for JSON.
 * @throws Problem with the invalid fields in its details, up to a limit, and the positions of all invalid rows
 */
export async function readBatchBody(
  task: Omit<IntakeTask, 'region' | 'agentRegions'>,
  { workspace }: Pick<Principal, 'workspace'>,
  { reader, agentRegions, region }: BatchIntakeParts,
): Promise<Intake> {
  const answer = await reader.read({ ...task, region, agentRegions: await agentRegions(workspace) });
  if (answer.kind === 'read') return answer.intake;
  // The problem's details name only some of the invalid rows; `badRows` lists the positions of all.
  const problem = problemOfRefusedBody(answer);
  if (answer.badRows === undefined) throw problem;
  const count = { field: 'to_number', code: 'invalid_rows', message: `has invalid rows: ${answer.badRows}` };
  throw new Problem(problem.code, problem.message, { details: [...problem.details, count] });
}
