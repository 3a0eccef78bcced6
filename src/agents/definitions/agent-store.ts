import { anyOf, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import { occursIn } from '#store/statements/search.js';
import type { CountryCode } from 'libphonenumber-js';
import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { insertInto } from '#store/statements/insert.js';
import { newestFirst } from '#store/statements/newest-first.js';
import type { Cursor, Page } from '#store/page.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { AgentRow, type AgentRecord } from './agent.js';
import { agentColumns, requireAgent } from './agent-rows.js';
import { clearDefaultAgent, ensureDefaultAgent } from './default-agent.js';
import { requireAgentTools } from './require-agent-tools.js';
import { withLookupUrl } from './lookup.js';

/** The filters of a list of agents; instants are in epoch milliseconds. */
export interface AgentFilter extends CreationFilter {
  workspace: string;
  status?: readonly string[] | undefined;
  /** Text that occurs in the name or the id. */
  search?: string | undefined;
}

/** The SQL conditions of a filter on the table `agents`. */
function agentConditions(filter: AgentFilter): (Condition | null)[] {
  return [
    ['workspace = ? and deleted_at is null', filter.workspace],
    anyOf('status', filter.status),
    occursIn(['name', 'id'], filter.search),
  ];
}

/** The columns that a change may touch. */
export type AgentChanges = Partial<
  Omit<AgentRow, 'id' | 'workspace' | 'created_at' | 'deleted_at' | 'lookup_secret'>
>;

/** The transactions on the table `agents`, for `Agents` and `createAgentRegions`; instants are epoch milliseconds. */
export const agentTransactions = defineTransactions('agents', {
  /**
   * Adds an agent, and stores the idempotent answer of its request. A new default agent replaces the previous one.
   * @throws Problem `agent_not_found` for an unknown backup
   */
  async create(tx, args: { agent: AgentRow; answer: IdempotentAnswer | null }): Promise<AgentRecord> {
    const { agent } = args;
    if (agent.backup_agent_id)
      await requireAgent(tx, agent.workspace, agent.backup_agent_id, 'backup_agent_id');
    if (agent.is_default) await clearDefaultAgent(tx, agent.workspace, agent.updated_at);
    await insertInto(tx, 'agents', agentColumns(agent));
    if (args.answer) await keepAnswer(tx, args.answer);
    return { agent, phoneNumbers: [] };
  },

  /** An agent with its phone numbers. @throws Problem `agent_not_found` */
  async get(tx, args: { workspace: string; id: string }): Promise<AgentRecord> {
    const agent = await requireAgent(tx, args.workspace, args.id);
    return (await withPhoneNumbers(tx, [agent]))[0]!;
  },

  /** The id and country of each agent that has a country of its own. */
  async regions(tx, args: { workspace: string }): Promise<[id: string, region: CountryCode][]> {
    const rows = await tx.all(
      'select id, region from agents where workspace = ? and region is not null and deleted_at is null',
      args.workspace,
    );
    return rows.map((row) => [String(row['id']), row['region'] as CountryCode]);
  },

  /** A page of agents, newest first. */
  async list(
    tx,
    args: { filter: AgentFilter; cursor: Cursor | null; limit: number },
  ): Promise<Page<AgentRecord>> {
    const conditions = agentConditions(args.filter);
    const select = 'select * from agents';
    const page = await newestFirst(tx, { ...args, select, conditions }, (row) => AgentRow.parse(row));
    return { items: await withPhoneNumbers(tx, page.items), next: page.next };
  },

  /**
   * Changes an agent.
   * @param args.newSecret the lookup secret, if the change brings the first lookup URL
   * @throws Problem `agent_not_found`; `validation_error` if the agent would be its own backup, or its playbook names
   *   tools that it does not have
   */
  async update(
    tx,
    args: { workspace: string; id: string; changes: AgentChanges; newSecret: string; at: number },
  ): Promise<AgentRecord> {
    const { backup_agent_id: backupId, is_default: isDefault } = args.changes;
    // First, because its lock must be taken before any agent is locked.
    if (isDefault) await clearDefaultAgent(tx, args.workspace, args.at);
    // The row is locked before it is read, so that two concurrent changes do not undo each other.
    await tx.get(`select id from agents where id = ?${tx.dialect.forUpdate}`, args.id);
    const agent = await requireAgent(tx, args.workspace, args.id);
    if (backupId === agent.id) throw ownBackupProblem();
    if (backupId) await requireAgent(tx, args.workspace, backupId, 'backup_agent_id');
    const lookup = withLookupUrl(agent, args.changes.lookup_url, args.newSecret);
    const changed: AgentRow = { ...agent, ...args.changes, ...lookup, updated_at: args.at };
    if (args.changes.playbook || args.changes.tools) requireAgentTools(changed);
    const { id: _id, workspace: _workspace, created_at: _createdAt, ...columns } = agentColumns(changed);
    await update(tx, 'agents', { set: columns, where: { id: agent.id } });
    return (await withPhoneNumbers(tx, [changed]))[0]!;
  },

  /**
   * Marks an agent as deleted; its row stays, because its calls refer to it.
   * @throws Problem `invalid_state` while numbers, other agents, schedules or batches use it, unless `force`
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

  /** {@link ensureDefaultAgent} as a transaction of its own. */
  ensureDefault(tx, args: { workspace: string; at: number }): Promise<AgentRow> {
    return ensureDefaultAgent(tx, args);
  },
});

/**
 * The kinds of rows that may use an agent, for the message of a refused deletion, each with a query that finds a row.
 */
const USERS: readonly (readonly [user: string, query: string])[] = [
  ['A phone number', 'select id from phone_numbers where agent_id = ?'],
  ['A phone number', 'select id from phone_numbers where backup_agent_id = ?'],
  ['Another agent', 'select id from agents where backup_agent_id = ? and deleted_at is null'],
  [
    'A scheduled call',
    `select id from schedules where agent_id = ? and status in ('scheduled', 'in_progress', 'paused')`,
  ],
  ['A batch', 'select id from batches where agent_id = ? and ended_at is null and deleted_at is null'],
];

/** @throws Problem `invalid_state` if something uses the agent */
async function refuseWhileUsed(tx: Tx, id: string): Promise<void> {
  for (const [user, query] of USERS) {
    if (!(await tx.get(`${query} limit 1`, id))) continue;
    throw new Problem('invalid_state', `${user} relies on this agent. Delete it anyway with ?force=true.`);
  }
}

function ownBackupProblem(): Problem {
  return fieldProblem('validation_error', 'backup_agent_id', 'must not be the agent itself', 'invalid_value');
}

/** Adds to each agent the phone numbers that it answers; one query for all agents. */
async function withPhoneNumbers(tx: Tx, agents: readonly AgentRow[]): Promise<AgentRecord[]> {
  if (agents.length === 0) return [];
  const rows = await tx.all(
    `select agent_id, phone_number from phone_numbers
     where agent_id in (${placeholders(agents)}) order by phone_number`,
    ...agents.map((agent) => agent.id),
  );
  return agents.map((agent) => ({
    agent,
    phoneNumbers: rows
      .filter((row) => row['agent_id'] === agent.id)
      .map((row) => String(row['phone_number'])),
  }));
}
