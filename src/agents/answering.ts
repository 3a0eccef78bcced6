import type { Tx } from '#store/transaction.js';
import { findAgent } from '#agents/definitions/agent-rows.js';
import { ensureDefaultAgent, findDefaultAgent } from '#agents/definitions/default-agent.js';
import { isRefused } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { AgentRow } from '#agents/definitions/agent.js';
import { lookupIn, type Lookup } from '#agents/definitions/lookup.js';
import { PhoneNumberRow } from '#agents/phone-numbers/phone-number.js';

/** The agent that answers an inbound call, and the workspace of the call. */
export interface Answering {
  workspace: string;
  agent: AgentRow;
  /** False when no agent is available: `agent` is then the one that would have answered. */
  answers: boolean;
}

/** The called number of an inbound call. */
interface Called {
  calledNumber: string;
  /** The workspace of calls to numbers that are not registered. */
  workspace: string;
}

/**
 * The agent that answers an inbound call: that of the called number, else the backup that the number or that agent
 * names, else the default agent or its backup. Runs within the transaction that creates the call.
 * @param args.chosenId comes before all of them, if it is an active agent of the workspace
 */
export async function answeringAgent(
  tx: Tx,
  args: Called & { chosenId?: string | null; at: number; providers: KnownProviders },
): Promise<Answering> {
  const number = await findNumber(tx, args);
  const workspace = number?.workspace ?? args.workspace;
  const { providers } = args;
  const agent =
    availableOf(await find(tx, workspace, args.chosenId), providers) ??
    (await namedAgent(tx, workspace, number, providers)) ??
    (await usualAgent(tx, { workspace, at: args.at, providers }));
  return { workspace, agent, answers: isAvailable(agent, providers) };
}

/**
 * The lookup before a call is answered: that of the called number, else that of the agent; null when neither names one.
 */
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
  args: { workspace: string; at: number; providers: KnownProviders },
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

/**
 * An inactive agent answers no calls, and neither does one whose calls are refused because a provider is not
 * configured.
 */
function isAvailable(agent: AgentRow, providers: KnownProviders): boolean {
  return agent.status === 'active' && !isRefused(agent, providers);
}
