import type { z } from 'zod';
import type { Tx } from '#store/transaction.js';
import { ensureDefaultAgent } from '#agents/definitions/default-agent.js';
import { isRefused } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import { AgentRow, AgentSummary } from '#agents/definitions/agent.js';
import { lookupOf, type Lookup } from '#agents/definitions/lookup.js';
import { PhoneNumberRow } from '#agents/phone-numbers/phone-number.js';

/** The columns that decide whether an agent answers. The rest of the row is not read: playbooks are long. */
const CandidateAgent = AgentSummary.extend(
  AgentRow.pick({ status: true, backup_agent_id: true, lookup_url: true, lookup_secret: true }).shape,
);
type CandidateAgent = z.output<typeof CandidateAgent>;
const ANSWERING_COLUMNS = Object.keys(CandidateAgent.shape).join(', ');

/** The agent that answers an inbound call, and the workspace of the call. */
export interface InboundAgent {
  workspace: string;
  agent: CandidateAgent;
  /** False when no agent is available: `agent` is then the agent that would have answered. */
  isAvailable: boolean;
  /**
   * The lookup to make before the call is answered: the number's, else that of `agent`. If the backup of the default
   * agent answers, the lookup of the default agent counts. Null without one.
   */
  lookup: Lookup | null;
}

/** The called number of an inbound call. */
interface Called {
  /** The registered number; null for one that is not registered. */
  number: PhoneNumberRow | null;
  /** The workspace of calls to numbers that are not registered. */
  workspace: string;
}

/** The called number of an inbound call (E.164); null if it is not registered. */
export async function findCalledNumber(tx: Tx, phoneNumber: string): Promise<PhoneNumberRow | null> {
  const row = await tx.get('select * from phone_numbers where phone_number = ?', phoneNumber);
  return row ? PhoneNumberRow.parse(row) : null;
}

/**
 * The agent that answers an inbound call: the agent of the called number, else the backup of the number, else the
 * backup of that agent, else the default agent or its backup. Runs within the transaction that creates the call
 * (`inbound-store.ts`).
 * @param args.chosenId the agent that a lookup has chosen: it comes first, if it is an available agent of the workspace
 */
export async function inboundAgent(
  tx: Tx,
  args: Called & { chosenId?: string | null; at: number; providers: KnownProviders },
): Promise<InboundAgent> {
  const { number, providers } = args;
  const workspace = number?.workspace ?? args.workspace;
  const named =
    ifAvailable(await findCandidate(tx, workspace, args.chosenId), providers) ??
    (await agentOrBackup(tx, workspace, number, providers));
  // The lookup of the default agent counts, even if its backup answers.
  const first = named ?? (await ensureDefaultAgent(tx, { workspace, at: args.at }));
  const agent = named ?? (await orBackup(tx, first, { workspace, providers }));
  const lookup = (number && lookupOf(number)) ?? lookupOf(first);
  return { workspace, agent, isAvailable: isAvailable(agent, providers), lookup };
}

/** The agent of the number, else the backup of the number, else the backup of that agent; null if none is available. */
async function agentOrBackup(
  tx: Tx,
  workspace: string,
  number: PhoneNumberRow | null,
  providers: KnownProviders,
): Promise<CandidateAgent | null> {
  const agent = await findCandidate(tx, workspace, number?.agent_id);
  return (
    ifAvailable(agent, providers) ??
    ifAvailable(await findCandidate(tx, workspace, number?.backup_agent_id), providers) ??
    ifAvailable(await findCandidate(tx, workspace, agent?.backup_agent_id), providers)
  );
}

/** The agent, or its backup if only the backup is available. */
async function orBackup(
  tx: Tx,
  agent: CandidateAgent,
  { workspace, providers }: { workspace: string; providers: KnownProviders },
): Promise<CandidateAgent> {
  if (isAvailable(agent, providers)) return agent;
  return ifAvailable(await findCandidate(tx, workspace, agent.backup_agent_id), providers) ?? agent;
}

/** An agent of the workspace, available or not; null without an id, and for an unknown id. */
async function findCandidate(
  tx: Tx,
  workspace: string,
  id: string | null | undefined,
): Promise<CandidateAgent | null> {
  if (!id) return null;
  const row = await tx.get(
    `select ${ANSWERING_COLUMNS} from agents where id = ? and workspace = ? and deleted_at is null`,
    id,
    workspace,
  );
  return row ? CandidateAgent.parse(row) : null;
}

function ifAvailable(agent: CandidateAgent | null, providers: KnownProviders): CandidateAgent | null {
  return agent && isAvailable(agent, providers) ? agent : null;
}

/**
 * An inactive agent answers no calls, and neither does one whose calls are refused because a provider is not
 * configured.
 */
function isAvailable(agent: CandidateAgent, providers: KnownProviders): boolean {
  return agent.status === 'active' && !isRefused(agent, providers);
}
