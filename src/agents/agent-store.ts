import { keepAnswer, type IdempotentAnswer } from '../access/idempotency-store.js';
import { fieldProblem, Problem } from '../kernel/errors.js';
import {
  DEFAULT_AGENT_NAME,
  DEFAULT_INITIAL_MESSAGE,
  defaultPlaybook,
} from '../speech/playbook/default-playbook.js';
import { flag } from '../store/statements/columns.js';
import { insertInto } from '../store/statements/insert.js';
import { newestFirst } from '../store/statements/newest-first.js';
import type { Cursor, Page } from '../store/page.js';
import { places } from '../store/statements/places.js';
import { defineUnits, type SqlValue, type Tx } from '../store/unit.js';
import { update } from '../store/statements/update.js';
import { AgentLabel, AgentRow, type AgentRecord } from './agent.js';
import { withLookupUrl } from './lookup.js';
import { agentConditions, type AgentFilter } from './agent-filter.js';

/** The columns that a change may touch. */
export type AgentChanges = Partial<
  Omit<AgentRow, 'id' | 'workspace' | 'created_at' | 'deleted_at' | 'lookup_secret'>
>;

export const agentUnits = defineUnits('agents', {
  /** Adds an agent, and keeps the answer of the request that asked for it. */
  async create(tx, args: { agent: AgentRow; answer: IdempotentAnswer | null }): Promise<AgentRecord> {
    const { agent } = args;
    if (agent.backup_agent_id)
      await requireAgent(tx, agent.workspace, agent.backup_agent_id, 'backup_agent_id');
    if (agent.is_default) await clearDefault(tx, agent.workspace, agent.updated_at);
    await insertInto(tx, 'agents', toColumns(agent));
    if (args.answer) await keepAnswer(tx, args.answer);
    return { agent, phoneNumbers: [] };
  },

  async get(tx, args: { workspace: string; id: string }): Promise<AgentRecord> {
    const agent = await requireAgent(tx, args.workspace, args.id);
    return (await withPhoneNumbers(tx, [agent]))[0]!;
  },

  async list(
    tx,
    args: { filter: AgentFilter; cursor: Cursor | null; limit: number },
  ): Promise<Page<AgentRecord>> {
    const conditions = agentConditions(args.filter);
    const select = 'select * from agents';
    const page = await newestFirst(tx, { ...args, select, conditions }, (row) => AgentRow.parse(row));
    return { items: await withPhoneNumbers(tx, page.items), next: page.next };
  },

  async update(
    tx,
    args: { workspace: string; id: string; changes: AgentChanges; newSecret: string; at: number },
  ): Promise<AgentRecord> {
    // Held before it is read, so that two changes at once do not undo each other.
    await tx.get(`select id from agents where id = ?${tx.dialect.forUpdate}`, args.id);
    const agent = await requireAgent(tx, args.workspace, args.id);
    const { backup_agent_id: backupId, is_default: isDefault } = args.changes;
    if (backupId === agent.id) throw ownBackup();
    if (backupId) await requireAgent(tx, args.workspace, backupId, 'backup_agent_id');
    if (isDefault) await clearDefault(tx, args.workspace, args.at);
    const lookup = withLookupUrl(agent, args.changes.lookup_url, args.newSecret);
    const changed: AgentRow = { ...agent, ...args.changes, ...lookup, updated_at: args.at };
    const { id: _id, workspace: _workspace, created_at: _createdAt, ...columns } = toColumns(changed);
    await update(tx, 'agents', { set: columns, where: { id: agent.id } });
    return (await withPhoneNumbers(tx, [changed]))[0]!;
  },

  /**
   * Takes an agent away; its calls keep its name.
   * @throws Problem `invalid_state` while numbers, other agents, schedules or batches rely on it, unless `force`
   */
  async remove(tx, args: { workspace: string; id: string; force: boolean; at: number }): Promise<void> {
    const { workspace, id, at } = args;
    await requireAgent(tx, workspace, id);
    if (!args.force) await refuseWhileUsed(tx, id);
    await tx.run('update phone_numbers set agent_id = null, updated_at = ? where agent_id = ?', at, id);
    for (const table of ['phone_numbers', 'agents']) {
      await tx.run(
        `update ${table} set backup_agent_id = null, updated_at = ? where backup_agent_id = ?`,
        at,
        id,
      );
    }
    await tx.run('update agents set deleted_at = ?, updated_at = ? where id = ?', at, at, id);
  },

  /** {@link ensureDefaultAgent} as a unit of its own. */
  ensureDefault(tx, args: { workspace: string; id: string; at: number }): Promise<AgentRow> {
    return ensureDefaultAgent(tx, args);
  },
});

/**
 * An agent of a workspace; a foreign one answers like one that does not exist.
 * @param field where the id was named, when that was not the path
 * @throws Problem `agent_not_found`
 */
export async function requireAgent(tx: Tx, workspace: string, id: string, field?: string): Promise<AgentRow> {
  const agent = await findAgent(tx, workspace, id);
  if (agent) return agent;
  throw agentNotFound(field);
}

/**
 * What a call keeps of its agent, without the rest of the row: playbooks are long.
 * @param field where the id was named
 * @throws Problem `agent_not_found`
 */
export async function requireAgentLabel(
  tx: Tx,
  workspace: string,
  id: string,
  field: string,
): Promise<AgentLabel> {
  const label = await findAgentLabel(tx, workspace, id);
  if (label) return label;
  throw agentNotFound(field);
}

/** {@link requireAgentLabel}, or null when there is no such agent any more. */
export async function findAgentLabel(tx: Tx, workspace: string, id: string): Promise<AgentLabel | null> {
  const row = await tx.get(
    'select id, name, language from agents where id = ? and workspace = ? and deleted_at is null',
    id,
    workspace,
  );
  return row ? AgentLabel.parse(row) : null;
}

function agentNotFound(field?: string): Problem {
  return new Problem('agent_not_found', 'There is no agent with this id.', {
    details: field ? [{ field, code: 'agent_not_found', message: 'is no agent' }] : [],
  });
}

/** An agent whether or not it was taken away since: a call is talked with by the agent that it was made for. */
export async function requireKeptAgent(tx: Tx, id: string): Promise<AgentRow> {
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

/** The agent of everything that names none; the built-in one is added under `id` when the workspace has none yet. */
export async function ensureDefaultAgent(
  tx: Tx,
  args: { workspace: string; id: string; at: number },
): Promise<AgentRow> {
  const present = await findDefaultAgent(tx, args.workspace);
  if (present) return present;
  const agent = builtInAgent(args);
  // Two processes may need it at the same moment; the unique index lets one of them win.
  const another = 'on conflict (workspace) where is_default = 1 and deleted_at is null do nothing';
  await insertInto(tx, 'agents', toColumns(agent), another);
  return (await findDefaultAgent(tx, args.workspace)) ?? agent;
}

/** The agent of everything that names none, where it has been made. */
export async function findDefaultAgent(tx: Tx, workspace: string): Promise<AgentRow | null> {
  const row = await tx.get(
    'select * from agents where workspace = ? and is_default = 1 and deleted_at is null',
    workspace,
  );
  return row ? AgentRow.parse(row) : null;
}

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
    voice: null,
    language: 'en-US',
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

async function clearDefault(tx: Tx, workspace: string, at: number): Promise<void> {
  await tx.run(
    'update agents set is_default = 0, updated_at = ? where workspace = ? and is_default = 1 and deleted_at is null',
    at,
    workspace,
  );
}

/** Who relies on an agent, and what finds one of them; the rows of other rooms that would call people with it, too. */
const USERS: readonly (readonly [who: string, found: string])[] = [
  ['A phone number', 'phone_numbers where agent_id = ?'],
  ['A phone number', 'phone_numbers where backup_agent_id = ?'],
  ['Another agent', 'agents where backup_agent_id = ? and deleted_at is null'],
  ['A scheduled call', `schedules where agent_id = ? and status in ('scheduled', 'in_progress', 'paused')`],
  ['A batch', 'batches where agent_id = ? and ended_at is null and deleted_at is null'],
];

async function refuseWhileUsed(tx: Tx, id: string): Promise<void> {
  for (const [who, found] of USERS) {
    if (!(await tx.get(`select id from ${found} limit 1`, id))) continue;
    throw new Problem('invalid_state', `${who} relies on this agent. Delete it anyway with ?force=true.`);
  }
}

function ownBackup(): Problem {
  return fieldProblem('validation_error', 'backup_agent_id', 'must not be the agent itself', 'invalid_value');
}

async function withPhoneNumbers(tx: Tx, agents: readonly AgentRow[]): Promise<AgentRecord[]> {
  if (agents.length === 0) return [];
  const rows = await tx.all(
    `select agent_id, phone_number from phone_numbers
     where agent_id in (${places(agents)}) order by phone_number`,
    ...agents.map((agent) => agent.id),
  );
  return agents.map((agent) => ({
    agent,
    phoneNumbers: rows
      .filter((row) => row['agent_id'] === agent.id)
      .map((row) => String(row['phone_number'])),
  }));
}

function toColumns(agent: AgentRow): Record<string, SqlValue> {
  return {
    ...agent,
    tools: JSON.stringify(agent.tools),
    playbook: agent.playbook && JSON.stringify(agent.playbook),
    is_default: flag(agent.is_default),
    metadata: JSON.stringify(agent.metadata),
    voicemail: JSON.stringify(agent.voicemail),
  };
}
