import type { z } from 'zod';
import { requiredVariables } from '#dialogue/variables.js';
import { variablesSetBy } from '#playbook/definition/playbook-texts.js';
import { fieldTexts, type FieldText } from '#playbook/steps/step-texts.js';
import type { Tx } from '#store/transaction.js';
import { AgentRow, AgentSummary } from './agent.js';
import { agentNotFoundProblem } from './agent-rows.js';

/** The fields of playbook steps whose texts are spoken; texts in other fields, such as conditions, are not. */
const SPOKEN_FIELDS: ReadonlySet<string | number> = new Set([
  'text',
  'texts',
  'confirm',
  'retry',
  'say_while',
]);

/** The columns of an agent that hold spoken texts, and whether calls without data for them are refused. */
const SpokenColumns = AgentRow.pick({
  initial_message: true,
  voicemail: true,
  playbook: true,
  missing_variables: true,
});
type SpokenAgent = z.output<typeof SpokenColumns>;

/** The variables that the data of a call must contain: without them, the agent's texts have gaps. */
export interface NeededVariables {
  names: readonly string[];
  /** How a call without them is treated. */
  whenMissing: AgentRow['missing_variables'];
}

/** The agent of a new call, and the variables that its calls need. */
interface CallingAgent {
  agent: AgentSummary;
  needed: NeededVariables;
}

const CallingAgentRow = AgentSummary.extend(SpokenColumns.shape);
const CALLING_COLUMNS = Object.keys(CallingAgentRow.shape).join(', ');

/**
 * The agent of a new call and the variables that its calls need, read by one statement. Requests for calls, batches and
 * schedules begin with it.
 * @param field the field of the request with the agent's id, for the details of the problem
 * @throws Problem `agent_not_found`
 */
export async function requireCallingAgent(
  tx: Tx,
  workspace: string,
  id: string,
  field: string,
): Promise<CallingAgent> {
  const row = await tx.get(
    `select ${CALLING_COLUMNS} from agents where id = ? and workspace = ? and deleted_at is null`,
    id,
    workspace,
  );
  if (!row) throw agentNotFoundProblem(field);
  const agent = CallingAgentRow.parse(row);
  return { agent, needed: variablesOfCalls(agent) };
}

/** The variables that calls of a stored agent need; the agent must exist. */
export async function neededVariables(tx: Tx, agentId: string): Promise<NeededVariables> {
  const row = await tx.get(
    `select ${Object.keys(SpokenColumns.shape).join(', ')} from agents where id = ?`,
    agentId,
  );
  return variablesOfCalls(SpokenColumns.parse(row));
}

/** The variables that calls of an agent need. Variables that the playbook fills during the call are not needed. */
export function variablesOfCalls(agent: SpokenAgent): NeededVariables {
  const setByPlaybook = variablesSetBy(agent.playbook);
  const names = new Set(spokenTexts(agent).flatMap((text) => requiredVariables(text)));
  return {
    names: [...names].filter((name) => !setByPlaybook.has(name)),
    whenMissing: agent.missing_variables,
  };
}

/** Every text that calls of the agent speak. */
function spokenTexts({ initial_message, voicemail, playbook }: SpokenAgent): string[] {
  const steps = Object.values(playbook?.steps ?? {}).flatMap((step) =>
    fieldTexts(step).flatMap(({ path, text }) => (isSpoken(path) ? [text] : [])),
  );
  // `wording` replaces sentences of the service that belong to no step, such as "Are you still there?".
  const worded = Object.values(playbook?.wording ?? {}).filter((text) => typeof text === 'string');
  // With a playbook, the opening message is spoken only by a step that contains it.
  const opening = playbook === null || steps.some((text) => text.includes('initial_message'));
  const message = voicemail.action === 'leave_message' ? [voicemail.message] : [];
  return [...(opening ? [initial_message] : []), ...message, ...steps, ...worded];
}

/** True for a spoken field of a step; of a value to collect only the read-back is spoken. */
function isSpoken([field, , part]: FieldText['path']): boolean {
  return SPOKEN_FIELDS.has(field!) || (field === 'collect' && part === 'confirm');
}
