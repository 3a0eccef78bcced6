import type { CountryCode } from 'libphonenumber-js';
import type { Store } from '#store/store.js';
import { agentTransactions } from './agent-store.js';

/**
 * Reads the country of each agent of a workspace, by the id of the agent; agents without a country of their own are
 * left out. Requests use it to read phone numbers without a country code.
 */
export type AgentRegions = (workspace: string) => Promise<ReadonlyMap<string, CountryCode>>;

/** Creates the reader of agents' countries from the store. */
export function createAgentRegions(store: Store): AgentRegions {
  return async (workspace) => new Map(await store.read(agentTransactions.regions, { workspace }));
}
