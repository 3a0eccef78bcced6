import type { CountryCode } from 'libphonenumber-js';
import type { Store } from '#store/store.js';
import { agentTransactions } from './agent-store.js';

/** The countries of the agents of a workspace that have one of their own, by the id of the agent. */
export type AgentRegions = (workspace: string) => Promise<ReadonlyMap<string, CountryCode>>;

export function createAgentRegions(store: Store): AgentRegions {
  return async (workspace) => new Map(await store.read(agentTransactions.regions, { workspace }));
}
