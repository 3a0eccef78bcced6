import { derivedId } from '#kernel/ids/ids.js';
import {
  DEFAULT_AGENT_NAME,
  DEFAULT_INITIAL_MESSAGE,
  defaultPlaybook,
} from '#playbook/definition/default-playbook.js';
import { insertInto } from '#store/statements/insert.js';
import type { Tx } from '#store/transaction.js';
import { AgentRow } from './agent.js';
import { agentColumns } from './agent-rows.js';

/**
 * The default agent of a workspace, which talks in calls that name no agent. If the workspace has none yet, the
 * built-in default agent is added. Called inside transactions, such as those that create calls and batches.
 */
export async function ensureDefaultAgent(
  tx: Tx,
  { workspace, at }: { workspace: string; at: number },
): Promise<AgentRow> {
  const present = await findDefaultAgent(tx, workspace);
  if (present) return present;
  await lockDefaultAgent(tx, workspace);
  // Another process may have added one before it released the lock.
  const addedMeanwhile = await findDefaultAgent(tx, workspace);
  if (addedMeanwhile) return addedMeanwhile;
  const agent = builtInAgent({ workspace, id: derivedId('agent', at, workspace, 'default'), at });
  await insertInto(tx, 'agents', agentColumns(agent));
  return agent;
}

/** The default agent of a workspace; null if there is none yet. */
async function findDefaultAgent(tx: Tx, workspace: string): Promise<AgentRow | null> {
  const row = await tx.get(
    'select * from agents where workspace = ? and is_default = 1 and deleted_at is null',
    workspace,
  );
  return row ? AgentRow.parse(row) : null;
}

/**
 * Makes the default agent an ordinary one, because another agent takes its place. Must run before the transaction locks
 * any agent, which prevents deadlocks.
 */
export async function clearDefaultAgent(tx: Tx, workspace: string, at: number): Promise<void> {
  await lockDefaultAgent(tx, workspace);
  await tx.run(
    'update agents set is_default = 0, updated_at = ? where workspace = ? and is_default = 1 and deleted_at is null',
    at,
    workspace,
  );
}

/**
 * Locks the default agent of a workspace until the end of the transaction, so that a workspace has only one even if
 * several processes create it at the same time.
 */
function lockDefaultAgent(tx: Tx, workspace: string): Promise<void> {
  return tx.lock(`default agent of ${workspace}`);
}

/** The row of the built-in default agent. */
function builtInAgent(args: { workspace: string; id: string; at: number }): AgentRow {
  return {
    id: args.id,
    workspace: args.workspace,
    name: DEFAULT_AGENT_NAME,
    initial_message: DEFAULT_INITIAL_MESSAGE,
    ai_provider: 'builtin',
    voice_provider: 'builtin',
    transcription_provider: null,
    system_prompt: null,
    model: null,
    model_settings: {},
    fallbacks: {},
    missing_variables: 'warn',
    region: null,
    turn_taking: {},
    voice: null,
    voice_settings: {},
    language: 'en-US',
    languages: [],
    tools: [],
    playbook: defaultPlaybook,
    status: 'active',
    is_default: true,
    backup_agent_id: null,
    metadata: {},
    voicemail: { action: 'hang_up' },
    lookup_url: null,
    lookup_secret: null,
    created_at: args.at,
    updated_at: args.at,
    deleted_at: null,
  };
}
