import type { Tx } from '#store/transaction.js';
import { findAgent } from '#agents/definitions/agent-rows.js';
import { ensureDefaultAgent, findDefaultAgent } from '#agents/definitions/default-agent.js';
import { isRefused } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { AgentRow } from '#agents/definitions/agent.js';
import { lookupIn, type Lookup } from '#agents/definitions/lookup.js';
import { PhoneNumberRow } from '#agents/phone-numbers/phone-number.js';

/** Who answers a call that came in, and in whose workspace it belongs. */
export interface Answering {
  workspace: string;
  agent: AgentRow;
  /** False for an agent that is not available: then there is no other. */
  answers: boolean;
}

/** What a call came in for. */
interface Called {
  calledNumber: string;
  /** Where calls to numbers that nobody registered belong. */
  workspace: string;
}

/**
 * The agent that answers an incoming call (Interface: Secondary endpoints, below the table): that of the called
 * number, else the backup named there or by that agent, else the default agent or its backup. Composed into the
 * transaction that logs the call.
 * @param args.chosenId goes before them all, where it is an active agent of the workspace
 * @param args.newAgentId the id of the default agent, if it has to be made
 */
export async function answeringAgent(
  tx: Tx,
  args: Called & { chosenId?: string | null; newAgentId: string; at: number; providers: KnownProviders },
): Promise<Answering> {
  const number = await findNumber(tx, args);
  const workspace = number?.workspace ?? args.workspace;
  const { providers } = args;
  const agent =
    availableOf(await find(tx, workspace, args.chosenId), providers) ??
    (await namedAgent(tx, workspace, number, providers)) ??
    (await usualAgent(tx, { workspace, id: args.newAgentId, at: args.at, providers }));
  return { workspace, agent, answers: isAvailable(agent, providers) };
}

/** Who is to be asked about a call before it is answered: whom the number names, else the agent that answers it. */
export async function answeringLookup(
  tx: Tx,
  called: Called & { providers: KnownProviders },
): Promise<Lookup | null> {
  const number = await findNumber(tx, called);
  const ofNumber = number && lookupIn(number);
  if (ofNumber) return ofNumber;
  const workspace = number?.workspace ?? called.workspace;
  const agent =
    (await namedAgent(tx, workspace, number, called.providers)) ?? (await findDefaultAgent(tx, workspace));
  return agent && lookupIn(agent);
}

async function namedAgent(
  tx: Tx,
  workspace: string,
  number: PhoneNumberRow | null,
  providers: KnownProviders,
): Promise<AgentRow | null> {
  const own = await find(tx, workspace, number?.agent_id);
  return (
    availableOf(own, providers) ??
    availableOf(await find(tx, workspace, number?.backup_agent_id), providers) ??
    availableOf(await find(tx, workspace, own?.backup_agent_id), providers)
  );
}

async function usualAgent(
  tx: Tx,
  args: { workspace: string; id: string; at: number; providers: KnownProviders },
): Promise<AgentRow> {
  const agent = await ensureDefaultAgent(tx, args);
  const backup = () => find(tx, args.workspace, agent.backup_agent_id);
  return availableOf(agent, args.providers) ?? availableOf(await backup(), args.providers) ?? agent;
}

async function findNumber(tx: Tx, { calledNumber }: Called): Promise<PhoneNumberRow | null> {
  const row = await tx.get('select * from phone_numbers where phone_number = ?', calledNumber);
  return row ? PhoneNumberRow.parse(row) : null;
}

async function find(tx: Tx, workspace: string, id: string | null | undefined): Promise<AgentRow | null> {
  return id ? findAgent(tx, workspace, id) : null;
}

function availableOf(agent: AgentRow | null, providers: KnownProviders): AgentRow | null {
  return agent && isAvailable(agent, providers) ? agent : null;
}

/** An inactive agent answers no calls; neither does one whose calls are refused for want of a provider. */
function isAvailable(agent: AgentRow, providers: KnownProviders): boolean {
  return agent.status === 'active' && !isRefused(agent, providers);
}
