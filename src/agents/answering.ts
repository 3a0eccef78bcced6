import type { Tx } from '../store/unit.js';
import { ensureDefaultAgent, findAgent } from './agent-store.js';
import type { AgentRow } from './agent.js';
import { PhoneNumberRow } from './phone-number.js';

/** Who answers a call that came in, and in whose workspace it belongs. */
export interface Answering {
  workspace: string;
  agent: AgentRow;
}

/**
 * The agent that answers an incoming call (Interface: Secondary endpoints, below the table): that of the called
 * number, else the backup named there or by that agent, else the default agent. Composed into the unit that logs the
 * call.
 * @param args.workspace where calls to numbers that nobody registered belong
 * @param args.newAgentId the id of the default agent, if it has to be made
 */
export async function answeringAgent(
  tx: Tx,
  args: { calledNumber: string; workspace: string; newAgentId: string; at: number },
): Promise<Answering> {
  const row = await tx.get('select * from phone_numbers where phone_number = ?', args.calledNumber);
  const number = row ? PhoneNumberRow.parse(row) : null;
  const workspace = number?.workspace ?? args.workspace;
  const own = await find(tx, workspace, number?.agent_id);
  const candidates = [
    () => own,
    () => find(tx, workspace, number?.backup_agent_id),
    () => find(tx, workspace, own?.backup_agent_id),
  ];
  for (const candidate of candidates) {
    const agent = await candidate();
    if (agent?.status === 'active') return { workspace, agent };
  }
  return { workspace, agent: await ensureDefaultAgent(tx, { workspace, id: args.newAgentId, at: args.at }) };
}

async function find(tx: Tx, workspace: string, id: string | null | undefined): Promise<AgentRow | null> {
  return id ? findAgent(tx, workspace, id) : null;
}
