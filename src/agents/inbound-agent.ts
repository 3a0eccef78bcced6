import type { Tx } from '#store/transaction.js';
import { findAgent } from '#agents/definitions/agent-rows.js';
import { ensureDefaultAgent, findDefaultAgent } from '#agents/definitions/default-agent.js';
import { isRefused } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { AgentRow } from '#agents/definitions/agent.js';
import { lookupIn, type Lookup } from '#agents/definitions/lookup.js';
import { PhoneNumberRow } from '#agents/phone-numbers/phone-number.js';

/** The agent of an inbound call, and the workspace of the call. */
export interface InboundAgent {
  workspace: string;
  agent: AgentRow;
  /**
   * False if no agent is available, so that the call ends at once: `agent` is then the one that would have answered.
   */
  answers: boolean;
}

/** The number that an inbound call reached (E.164). */
interface InboundTarget {
  calledNumber: string;
  /** The workspace of calls to numbers that are not registered. */
  workspace: string;
}

/**
 * Finds the agent that answers an inbound call: that of the called number, else the backup that the number or that
 * agent names, else the default agent of the workspace or its backup. Runs in the transaction of `inbound-store.ts`
 * that creates the call.
 * @param args.chosenId the agent that the lookup before the call has chosen: first of all, if it is available
 * @param args.newAgentId the id for the default agent, if it must be created
 * @param args.at epoch milliseconds
 */
export async function inboundAgent(
  tx: Tx,
  args: InboundTarget & {
    chosenId?: string | null;
    newAgentId: string;
    at: number;
    providers: KnownProviders;
  },
): Promise<InboundAgent> {
  const number = await findNumber(tx, args);
  const workspace = number?.workspace ?? args.workspace;
  const { providers } = args;
  const agent =
    ifAvailable(await find(tx, workspace, args.chosenId), providers) ??
    (await agentOrBackup(tx, workspace, number, providers)) ??
    (await defaultOrBackup(tx, { workspace, id: args.newAgentId, at: args.at, providers }));
  return { workspace, agent, answers: isAvailable(agent, providers) };
}

/**
 * The lookup that is asked before an inbound call is answered: that of the called number, else that of its agent.
 * Null if neither names one.
 */
export async function inboundLookup(
  tx: Tx,
  called: InboundTarget & { providers: KnownProviders },
): Promise<Lookup | null> {
  const number = await findNumber(tx, called);
  const ofNumber = number && lookupIn(number);
  if (ofNumber) return ofNumber;
  const workspace = number?.workspace ?? called.workspace;
  const agent =
    (await agentOrBackup(tx, workspace, number, called.providers)) ?? (await findDefaultAgent(tx, workspace));
  return agent && lookupIn(agent);
}

/** The available agent that the number names, else the backup of the number, else that of the agent; else null. */
async function agentOrBackup(
  tx: Tx,
  workspace: string,
  number: PhoneNumberRow | null,
  providers: KnownProviders,
): Promise<AgentRow | null> {
  const own = await find(tx, workspace, number?.agent_id);
  return (
    ifAvailable(own, providers) ??
    ifAvailable(await find(tx, workspace, number?.backup_agent_id), providers) ??
    ifAvailable(await find(tx, workspace, own?.backup_agent_id), providers)
  );
}

/** The default agent of the workspace or its available backup; the default agent, even if neither is available. */
async function defaultOrBackup(
  tx: Tx,
  args: { workspace: string; id: string; at: number; providers: KnownProviders },
): Promise<AgentRow> {
  const agent = await ensureDefaultAgent(tx, args);
  const backup = () => find(tx, args.workspace, agent.backup_agent_id);
  return ifAvailable(agent, args.providers) ?? ifAvailable(await backup(), args.providers) ?? agent;
}

/** The registered number that was called; null if no workspace has registered it. */
async function findNumber(tx: Tx, { calledNumber }: InboundTarget): Promise<PhoneNumberRow | null> {
  const row = await tx.get('select * from phone_numbers where phone_number = ?', calledNumber);
  return row ? PhoneNumberRow.parse(row) : null;
}

async function find(tx: Tx, workspace: string, id: string | null | undefined): Promise<AgentRow | null> {
  return id ? findAgent(tx, workspace, id) : null;
}

function ifAvailable(agent: AgentRow | null, providers: KnownProviders): AgentRow | null {
  return agent && isAvailable(agent, providers) ? agent : null;
}

/** False for an inactive agent, and for one whose calls are refused because a provider is not configured. */
function isAvailable(agent: AgentRow, providers: KnownProviders): boolean {
  return agent.status === 'active' && !isRefused(agent, providers);
}
