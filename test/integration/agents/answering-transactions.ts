import { inboundAgent, inboundLookup, type InboundAgent } from '#agents/inbound-agent.js';
import { BUILT_IN_ONLY } from '#test/support/known-providers.js';
import type { Lookup } from '#agents/definitions/lookup.js';
import { defineTransactions } from '#store/transaction.js';

/** {@link inboundAgent} and {@link inboundLookup} as units, as the calls module composes them into its own. */
export const answeringTransactions = defineTransactions('answering_test', {
  answering(
    tx,
    args: { calledNumber: string; workspace: string; chosenId?: string; newAgentId: string; at: number },
  ): Promise<InboundAgent> {
    return inboundAgent(tx, { ...args, providers: BUILT_IN_ONLY });
  },

  lookup(tx, args: { calledNumber: string; workspace: string }): Promise<Lookup | null> {
    return inboundLookup(tx, { ...args, providers: BUILT_IN_ONLY });
  },
});
