import { neededBy } from '#dialogue/variables.js';
import { variablesSetBy } from '#playbook/definition/playbook-texts.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';
import type { Tx } from '#store/transaction.js';
import { AgentRow } from './agent.js';

/** The fields of playbook steps whose texts are spoken. */
const SPOKEN: ReadonlySet<string | number> = new Set([
  'text',
  'texts',
  'confirm',
  'retry',
  'say_while',
  'collect',
]);

/** The columns of an agent that hold spoken texts, and what happens to calls without data for them. */
const SpokenColumns = AgentRow.pick({
  initial_message: true,
  voicemail: true,
  playbook: true,
  missing_variables: true,
});

/** The variables that the data of a call must contain: without them, the agent's texts have gaps. */
export interface NeededVariables {
  names: readonly string[];
  /** How a call without them is treated. */
  whenMissing: AgentRow['missing_variables'];
}

/**
 * The variables that the texts of an agent need from the data of a call. Variables that the playbook fills during the
 * call, and those with replacement words, are not needed. Read when calls, batches and schedules are created.
 */
export async function neededVariables(tx: Tx, agentId: string): Promise<NeededVariables> {
  const row = await tx.get(
    `select ${Object.keys(SpokenColumns.shape).join(', ')} from agents where id = ?`,
    agentId,
  );
  const agent = SpokenColumns.parse(row);
  const learnt = variablesSetBy(agent.playbook);
  const names = new Set(spokenTexts(agent).flatMap((text) => neededBy(text)));
  return { names: [...names].filter((name) => !learnt.has(name)), whenMissing: agent.missing_variables };
}

/** Every text that calls of the agent speak. */
function spokenTexts({ initial_message, voicemail, playbook }: SpokenAgent): string[] {
  const steps = Object.values(playbook?.steps ?? {}).flatMap((step) =>
    fieldTexts(step).flatMap(({ path, text }) => (SPOKEN.has(path[0]!) ? [text] : [])),
  );
  const worded = Object.values(playbook?.wording ?? {}).filter((text) => typeof text === 'string');
  // With a playbook, the opening message is spoken only by a step that contains it.
  const opening = playbook === null || steps.some((text) => text.includes('initial_message'));
  const message = voicemail.action === 'leave_message' ? [voicemail.message] : [];
  return [...(opening ? [initial_message] : []), ...message, ...steps, ...worded];
}
type SpokenAgent = Pick<AgentRow, 'initial_message' | 'voicemail' | 'playbook'>;
