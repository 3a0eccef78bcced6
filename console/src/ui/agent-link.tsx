import { Link } from 'wouter-preact';
import type { Call } from '../api/contract.js';

/** The agent of a call. One that was not saved when it was talked with has no page. */
export function AgentLink({
  of: { agent_id: id, agent_name: name },
}: {
  of: Pick<Call, 'agent_id' | 'agent_name'>;
}) {
  return id.startsWith('trial_') ? <>{name} (not saved)</> : <Link href={`/agents/${id}`}>{name}</Link>;
}
