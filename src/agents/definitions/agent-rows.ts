import { Problem } from '#kernel/errors/errors.js';
import { flag } from '#store/statements/columns.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { AgentRow, AgentSummary } from './agent.js';

/*
 * Reads rows of the table `agents`, and converts agents to columns, for the transactions of agents, calls, batches and
 * schedules.
 */

const SUMMARY_COLUMNS = Object.keys(AgentSummary.shape).join(', ');

/**
 * An agent of a workspace.
 * @param field the field of the request that names the id, for the details of the problem; left out for an id in a path
 * @throws Problem `agent_not_found`, also for an agent of another workspace
 */
export async function requireAgent(tx: Tx, workspace: string, id: string, field?: string): Promise<AgentRow> {
  const agent = await findAgent(tx, workspace, id);
  if (agent) return agent;
  throw agentNotFoundProblem(field);
}

/**
 * The columns of an agent that a new call needs. The rest of the row is not read, because playbooks are long.
 * @param field the field of the request that names the id
 * @throws Problem `agent_not_found`
 */
export async function requireAgentSummary(
  tx: Tx,
  workspace: string,
  id: string,
  field: string,
): Promise<AgentSummary> {
  const agent = await findAgentSummary(tx, workspace, id);
  if (agent) return agent;
  throw agentNotFoundProblem(field);
}

/** Like {@link requireAgentSummary}, but null if there is no agent with this id, or not any more. */
export async function findAgentSummary(tx: Tx, workspace: string, id: string): Promise<AgentSummary | null> {
  const row = await tx.get(
    `select ${SUMMARY_COLUMNS} from agents where id = ? and workspace = ? and deleted_at is null`,
    id,
    workspace,
  );
  return row ? AgentSummary.parse(row) : null;
}

/**
 * The error for an id that is no agent of the workspace. @param field the field that has the id; none for an id in a
 * path
 */
export function agentNotFoundProblem(field?: string): Problem {
  return new Problem('agent_not_found', 'There is no agent with this id.', {
    details: field ? [{ field, code: 'agent_not_found', message: 'is no agent' }] : [],
  });
}

/**
 * The agent of a call, even if it was deleted: a call keeps the agent with which it was created.
 * @throws Error if the row is missing
 */
export async function requireAgentOfCall(tx: Tx, id: string): Promise<AgentRow> {
  const row = await tx.get('select * from agents where id = ?', id);
  if (!row) throw new Error('a call names an agent that has never been');
  return AgentRow.parse(row);
}

/** An agent of a workspace, or null when there is none. */
export async function findAgent(tx: Tx, workspace: string, id: string): Promise<AgentRow | null> {
  const row = await tx.get(
    'select * from agents where id = ? and workspace = ? and deleted_at is null',
    id,
    workspace,
  );
  return row ? AgentRow.parse(row) : null;
}

/** An agent as the columns of its row, for `insert` and `update`. */
export function agentColumns(agent: AgentRow): Record<string, SqlValue> {
  return {
    ...agent,
    tools: JSON.stringify(agent.tools),
    model_settings: JSON.stringify(agent.model_settings),
    voice_settings: JSON.stringify(agent.voice_settings),
    fallbacks: JSON.stringify(agent.fallbacks),
    languages: JSON.stringify(agent.languages),
    turn_taking: JSON.stringify(agent.turn_taking),
    playbook: agent.playbook && JSON.stringify(agent.playbook),
    is_default: flag(agent.is_default),
    metadata: JSON.stringify(agent.metadata),
    voicemail: JSON.stringify(agent.voicemail),
  };
}
