import { neededBy } from '#dialogue/variables.js';
import { learntBy } from '#playbook/book/playbook-texts.js';
import { fieldTexts } from '#playbook/steps/step-texts.js';
import type { Tx } from '#store/transaction.js';
import { AgentRow } from './agent.js';

/** Fields of playbook steps that are spoken. */
const SPOKEN: ReadonlySet<string | number> = new Set([
  'text',
  'texts',
  'confirm',
  'retry',
  'say_while',
  'collect',
]);

const SpokenColumns = AgentRow.pick({
  initial_message: true,
  voicemail: true,
  playbook: true,
  missing_variables: true,
});

/** The variables that a call needs, so that no word is missing in the agent's texts, and what happens without them. */
export interface NeededVariables {
  names: readonly string[];
  whenMissing: AgentRow['missing_variables'];
}

/** The variables that calls of an agent need. */
export async function neededVariables(tx: Tx, agentId: string): Promise<NeededVariables> {
  const row = await tx.get(
    `select ${Object.keys(SpokenColumns.shape).join(', ')} from agents where id = ?`,
    agentId,
  );
  const agent = SpokenColumns.parse(row);
  const learnt = learntBy(agent.playbook);
  const names = new Set(spokenTexts(agent).flatMap((text) => neededBy(text)));
  return { names: [...names].filter((name) => !learnt.has(name)), whenMissing: agent.missing_variables };
}

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
