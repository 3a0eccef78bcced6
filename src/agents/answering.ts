import type { Tx } from '#store/unit.js';
import { findAgent } from '#agents/definitions/agent-rows.js';
import { ensureDefaultAgent, findDefaultAgent } from '#agents/definitions/default-agent.js';
import type { AgentRow } from '#agents/definitions/agent.js';
import { lookupIn, type Lookup } from '#agents/definitions/lookup.js';
import { PhoneNumberRow } from '#agents/phone-numbers/phone-number.js';

/** Who answers a call that came in, and in whose workspace it belongs. */
export interface Answering {
  workspace: string;
  /** An inactive one, which is the default agent then, answers nobody: there is no other. */
  agent: AgentRow;
}

/** What a call came in for. */
interface Called {
  calledNumber: string;
  /** Where calls to numbers that nobody registered belong. */
  workspace: string;
}

/**
 * The agent that answers an incoming call (Interface: Secondary endpoints, below the table): that of the called
 * number, else the backup named there or by that agent, else the default agent or its backup. Composed into the unit
 * that logs the call.
 * @param args.chosenId goes before them all, where it is an active agent of the workspace
 * @param args.newAgentId the id of the default agent, if it has to be made
 */
export async function answeringAgent(
  tx: Tx,
  args: Called & { chosenId?: string | null; newAgentId: string; at: number },
): Promise<Answering> {
  const number = await findNumber(tx, args);
  const workspace = number?.workspace ?? args.workspace;
  const agent =
    activeOf(await find(tx, workspace, args.chosenId)) ??
    (await namedAgent(tx, workspace, number)) ??
    (await usualAgent(tx, { workspace, id: args.newAgentId, at: args.at }));
  return { workspace, agent };
}

/** Who is to be asked about a call before it is answered: whom the number names, else the agent that answers it. */
export async function answeringLookup(tx: Tx, called: Called): Promise<Lookup | null> {
  const number = await findNumber(tx, called);
  const ofNumber = number && lookupIn(number);
  if (ofNumber) return ofNumber;
  const workspace = number?.workspace ?? called.workspace;
  const agent = (await namedAgent(tx, workspace, number)) ?? (await findDefaultAgent(tx, workspace));
  return agent && lookupIn(agent);
}

async function namedAgent(
  tx: Tx,
  workspace: string,
  number: PhoneNumberRow | null,
): Promise<AgentRow | null> {
  const own = await find(tx, workspace, number?.agent_id);
  return (
    activeOf(own) ??
    activeOf(await find(tx, workspace, number?.backup_agent_id)) ??
    activeOf(await find(tx, workspace, own?.backup_agent_id))
  );
}

async function usualAgent(tx: Tx, args: { workspace: string; id: string; at: number }): Promise<AgentRow> {
  const agent = await ensureDefaultAgent(tx, args);
  return activeOf(agent) ?? activeOf(await find(tx, args.workspace, agent.backup_agent_id)) ?? agent;
}

async function findNumber(tx: Tx, { calledNumber }: Called): Promise<PhoneNumberRow | null> {
  const row = await tx.get('select * from phone_numbers where phone_number = ?', calledNumber);
  return row ? PhoneNumberRow.parse(row) : null;
}

async function find(tx: Tx, workspace: string, id: string | null | undefined): Promise<AgentRow | null> {
  return id ? findAgent(tx, workspace, id) : null;
}

function activeOf(agent: AgentRow | null): AgentRow | null {
  return agent?.status === 'active' ? agent : null;
}
